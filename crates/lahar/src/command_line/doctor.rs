//! `lahar doctor`: what is installed, in use and missing, and how to get it.

use std::process::{Command, Stdio};

use lahar_library::Library;

use super::Done;
use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

/// One thing that was looked at.
struct Finding {
    what: &'static str,
    good: bool,
    found: String,
    next: Option<String>,
}

pub(super) fn run(workplace: &Workplace, output: Output) -> Result<Done, Failure> {
    let findings = [
        library(workplace),
        model(workplace),
        pip(),
        Finding {
            what: "network",
            good: true,
            found: "opened by `lahar models pull` alone; no endpoint is configured".into(),
            next: None,
        },
    ];
    let value = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "config": workplace.config,
        "findings": findings.iter().map(|finding| serde_json::json!({
            "what": finding.what, "good": finding.good, "found": finding.found, "next": finding.next,
        })).collect::<Vec<_>>(),
        "attributions": ATTRIBUTIONS,
    });
    output.result(&value, || {
        let mut text = format!("Lahar {}\n", env!("CARGO_PKG_VERSION"));
        for finding in &findings {
            let mark = if finding.good { "ok     " } else { "missing" };
            text.push_str(&format!("{mark}  {}: {}\n", finding.what, finding.found));
            if let Some(next) = &finding.next {
                text.push_str(&format!("         next: {next}\n"));
            }
        }
        let config = toml::to_string(&workplace.config).unwrap_or_default();
        text.push_str(&format!(
            "\nConfiguration in effect (--config FILE changes it):\n{config}"
        ));
        text.push_str("\nAttributions:\n");
        for attribution in ATTRIBUTIONS {
            text.push_str(&format!("  {attribution}\n"));
        }
        text
    });
    Ok(Done::Well)
}

/// What others made and this program uses or fetches. NOTICE has it in full.
const ATTRIBUTIONS: &[&str] = &[
    "places: GeoNames (geonames.org), CC BY 4.0; U.S. Census Bureau, USGS, NWS and Natural Earth, public domain",
    "all-MiniLM-L6-v2: sentence-transformers, Apache-2.0; fetched, not shipped",
    "sample documents: written for Lahar; the public source of each fact is named in it",
];

fn library(workplace: &Workplace) -> Finding {
    let path = workplace.library.display();
    let finding = |good, found, next: Option<&str>| Finding {
        what: "library",
        good,
        found,
        next: next.map(str::to_owned),
    };
    if !workplace.library.exists() {
        return finding(
            false,
            format!("there is none at {path}"),
            Some("lahar ingest PATH"),
        );
    }
    let described = Library::open_read_only(&workplace.library).and_then(|library| {
        let model = library.settings()?.model;
        let model = model.map_or("words alone".into(), |model| model.identity.name);
        Ok(format!(
            "{path}: {} documents, {} chunks, indexed with {model}",
            library.document_count()?,
            library.chunk_count()?
        ))
    });
    match described {
        Ok(found) => finding(true, found, None),
        Err(error) => finding(false, error.to_string(), None),
    }
}

fn model(workplace: &Workplace) -> Finding {
    let name = workplace.config.embedder.model.clone();
    let finding = |good, found, next: Option<String>| Finding {
        what: "model",
        good,
        found,
        next,
    };
    if name == crate::workplace::NO_MODEL {
        return finding(
            true,
            "none is wanted; passages are found by their words".into(),
            None,
        );
    }
    let pull = Some(format!("lahar models pull {name}"));
    match workplace.models().and_then(|store| store.check(&name)) {
        Ok(report) if report.is_sound() => {
            finding(true, format!("{name} in {}", report.folder.display()), None)
        }
        Ok(report) => finding(
            false,
            format!("{name} in {} is damaged", report.folder.display()),
            pull,
        ),
        Err(error) => finding(false, error.to_string(), pull),
    }
}

fn pip() -> Finding {
    let found = Command::new("python3")
        // Not `-m pip --version`: pip opens a socket to see which kinds there are.
        .args(["-c", "import pip; print('pip', pip.__version__)"])
        .stderr(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    Finding {
        what: "pip",
        good: found.is_some(),
        next: found
            .is_none()
            .then(|| "apt-get install python3-pip (only `lahar models pull` uses it)".into()),
        found: found.unwrap_or_else(|| "`python3 -m pip` does not run".into()),
    }
}
