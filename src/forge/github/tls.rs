//! Whom to trust on a TLS connection: the public roots in the binary, and the user's own.
//!
//! The image has no certificate files, so nothing may depend on them; a private authority of an
//! Enterprise Server comes in by `SSL_CERT_FILE` (spec 95, row "REST and GraphQL").

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// A client configuration with the public roots plus those of a PEM file. A file that cannot be
/// read is warned of, not fatal: the variable is often inherited from another machine.
pub(super) fn client_config(own_roots: Option<&Path>) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots(own_roots))
        .with_no_client_auth();
    Ok(config)
}

fn roots(own: Option<&Path>) -> RootCertStore {
    let mut store = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if let Some(file) = own {
        match CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(certificates) => {
                let (added, ignored) = store.add_parsable_certificates(certificates);
                tracing::debug!(file = %file.display(), added, ignored, "own root certificates");
            }
            Err(error) => tracing::warn!(
                file = %file.display(),
                "the certificates of SSL_CERT_FILE cannot be read ({error}); \
                 only public certificate authorities are trusted"
            ),
        }
    }
    store
}

#[cfg(test)]
mod tests {
    use super::roots;
    use std::path::Path;

    #[test]
    fn public_roots_need_no_file_and_a_broken_file_takes_none_away() {
        let public = roots(None).len();
        assert!(public > 50);
        assert_eq!(roots(Some(Path::new("/nowhere/ca.pem"))).len(), public);
    }
}
