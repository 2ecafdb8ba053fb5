//! What libgit2 keeps once for the whole process; the only unsafe code of the project.

use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

use git2::{ConfigLevel, RepositoryOpenFlags};

use super::http;

/// Makes libgit2 deaf to the machine's configuration and teaches it to fetch. Before each use.
///
/// With no system, global and XDG configuration, nothing outside the repository changes what a
/// diff or a fetch does.
pub(super) fn prepare() {
    static READY: Once = Once::new();
    READY.call_once(|| {
        let levels =
            [ConfigLevel::ProgramData, ConfigLevel::System, ConfigLevel::XDG, ConfigLevel::Global];
        for level in levels {
            // A path that cannot be emptied stays as it was: less hermetic, not wrong.
            let _ = forget_search_path(level);
        }
        // Without it a fetch over HTTP ends with "unsupported URL protocol".
        let _ = register_transport();
    });
}

/// Opens exactly this folder, whoever owns it: in a container the workspace belongs to another
/// user (spec 30). The check is off for the time of this call only; it guards against
/// configuration that runs programs, and libgit2 runs none.
pub(super) fn open_any_owner(path: &Path) -> Result<git2::Repository, git2::Error> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    prepare();
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    check_owner(Check::Off)?;
    let no_ceiling: [&Path; 0] = [];
    let opened = git2::Repository::open_ext(path, RepositoryOpenFlags::NO_SEARCH, no_ceiling);
    check_owner(Check::On)?;
    opened
}

#[derive(Clone, Copy)]
enum Check {
    On,
    Off,
}

#[allow(unsafe_code, reason = "libgit2's global options are not synchronised; `Once` does that")]
fn forget_search_path(level: ConfigLevel) -> Result<(), git2::Error> {
    // SAFETY: only called under `Once`, before this process opens a repository.
    unsafe { git2::opts::set_search_path(level, "") }
}

#[allow(unsafe_code, reason = "libgit2's transport list is not synchronised; `Once` does that")]
fn register_transport() -> Result<(), git2::Error> {
    // SAFETY: only called under `Once`, before this process makes a transport.
    unsafe { git2::transport::register(http::SCHEME, http::transport) }
}

#[allow(unsafe_code, reason = "libgit2's global options are not synchronised; the lock does that")]
fn check_owner(check: Check) -> Result<(), git2::Error> {
    // SAFETY: only called under the lock of `open_any_owner`; the option is one integer.
    unsafe { git2::opts::set_verify_owner_validation(matches!(check, Check::On)) }
}
