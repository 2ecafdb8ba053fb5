//! The command line of rereview.

fn main() -> std::process::ExitCode {
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(rt) = rt else { return 4.into() };
    let r = rt.block_on(rereview::run::demo::demo(
        &mut std::io::stdout(),
        rereview::run::show::Style::Plain,
    ));
    if let Err(e) = r {
        tracing::error!("{e}");
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{e}\n").as_bytes());
        return 4.into();
    }
    0.into()
}
