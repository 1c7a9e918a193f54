//! One POST: limited in time and size, followed nowhere.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider};

use super::super::{ChatError, Key};

/// Characters of a server's words that an error shows.
const SHOWN: usize = 200;

pub(super) struct Http {
    agent: ureq::Agent,
}

pub(super) struct Answer {
    pub status: u16,
    /// Seconds.
    pub retry_after: Option<u64>,
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failed {
    Http(ureq::Error),
    TooLarge,
}

impl Failed {
    pub(super) fn into_error(
        self,
        model: &str,
        key: Option<&Key>,
        time: Duration,
        limit: u64,
    ) -> ChatError {
        let model = model.to_owned();
        match self {
            Failed::TooLarge | Failed::Http(ureq::Error::BodyExceedsLimit(_)) => {
                ChatError::TooLarge { model, limit }
            }
            Failed::Http(ureq::Error::Timeout(_)) => ChatError::TimeOut {
                model,
                seconds: time.as_secs(),
            },
            Failed::Http(error) => ChatError::Connection {
                model,
                reason: first_words(error.to_string().as_bytes(), key),
            },
        }
    }
}

impl Http {
    pub(super) fn new(
        time: Duration,
        certificates: Option<&Path>,
        model: &str,
    ) -> Result<Http, ChatError> {
        let mut trusted: Vec<Certificate<'static>> = rustls_native_certs::load_native_certs()
            .certs
            .iter()
            .map(|certificate| Certificate::from_der(certificate).to_owned())
            .collect();
        if let Some(path) = certificates {
            let pem = std::fs::read(path).map_err(ChatError::file("read", path))?;
            let before = trusted.len();
            trusted.extend(ureq::tls::parse_pem(&pem).filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            }));
            if trusted.len() == before {
                return Err(ChatError::Connection {
                    model: model.to_owned(),
                    reason: format!("{} holds no certificate", path.display()),
                });
            }
        }
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .root_certs(RootCerts::Specific(Arc::new(trusted)))
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .build();
        let agent = ureq::Agent::config_builder()
            .tls_config(tls)
            .timeout_global(Some(time))
            .http_status_as_error(false)
            // A key must not follow to another address, and no API redirects its calls.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("lahar/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Ok(Http { agent })
    }

    pub(super) fn post(
        &self,
        url: &str,
        headers: &[(&str, String)],
        body: &str,
        limit: u64,
    ) -> Result<Answer, Failed> {
        let mut request = self
            .agent
            .post(url)
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let mut response = request.send(body).map_err(Failed::Http)?;
        let status = response.status().as_u16();
        let retry_after = response
            .headers()
            .get("retry-after")
            .and_then(|value| value.to_str().ok())
            .and_then(|value| wait(value, SystemTime::now()));
        let mut body = Vec::new();
        response
            .body_mut()
            .as_reader()
            .take(limit + 1)
            .read_to_end(&mut body)
            .map_err(|error| Failed::Http(ureq::Error::from(error)))?;
        if body.len() as u64 > limit {
            return Err(Failed::TooLarge);
        }
        Ok(Answer {
            status,
            retry_after,
            body,
        })
    }
}

/// Refuses what is no address of a server, and one that would carry a key in the open.
pub(super) fn check_address(address: &str, keyed: bool, model: &str) -> Result<(), ChatError> {
    let refuse = |reason: &str| {
        Err(ChatError::Connection {
            model: model.to_owned(),
            reason: reason.to_owned(),
        })
    };
    let (secure, rest) = match (
        address.strip_prefix("https://"),
        address.strip_prefix("http://"),
    ) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return refuse("its address must begin with https:// or http://"),
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.contains(['@', '?', '#']) {
        return refuse(
            "its address must be a host with a port at most; keys do not belong into it",
        );
    }
    let name = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let local = name == "localhost"
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    if keyed && !secure && !local {
        return refuse("its address begins with http://, and a key would go there in the open");
    }
    Ok(())
}

/// Seconds of a `Retry-After` header: a number, or a date (RFC 9110, 10.2.3).
fn wait(value: &str, now: SystemTime) -> Option<u64> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(seconds);
    }
    let then = jiff::fmt::rfc2822::parse(value)
        .ok()?
        .timestamp()
        .as_second();
    let now = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(u64::try_from(then).ok()?.saturating_sub(now))
}

/// The first words of what a server sent, on one line and without the key.
pub(super) fn first_words(bytes: &[u8], key: Option<&Key>) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = key.map_or(text.to_string(), |key| key.hidden_in(&text));
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = plain
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect();
    match shown.is_empty() {
        true => "it said nothing".to_owned(),
        false => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_when_to_come_back_in_seconds_or_by_a_date() {
        let now = UNIX_EPOCH + Duration::from_secs(1_445_412_470);
        assert_eq!(wait("7", now), Some(7));
        assert_eq!(wait("Wed, 21 Oct 2015 07:28:00 GMT", now), Some(10));
        assert_eq!(wait("Wed, 21 Oct 2015 07:00:00 GMT", now), Some(0));
        assert_eq!(wait("soon", now), None);
    }

    #[test]
    fn a_key_goes_only_where_nobody_listens() {
        let check = |address, keyed| check_address(address, keyed, "m").is_ok();
        assert!(check("https://api.example.org", true));
        assert!(check("http://127.0.0.1:8080", true));
        assert!(check("http://[::1]:8080", true));
        assert!(check("http://models.example.org", false));
        for address in [
            "http://models.example.org",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org",
            "https://me:secret@example.org",
            "ftp://example.org",
            "https://",
        ] {
            assert!(!check(address, true), "{address}");
        }
    }

    #[test]
    fn words_of_a_server_hold_no_key_and_no_control_characters() {
        let key = Key::new("sk-very-secret").unwrap();
        let said = first_words(b"bad\n\x1b[31m key  sk-very-secret", Some(&key));
        assert_eq!(said, "bad [31m key (key)");
    }
}
