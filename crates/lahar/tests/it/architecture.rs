//! The map in ARCHITECTURE.md holds: which crate may know which, and what none may know.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The crates in the order of the map: each may know those before it.
const ORDER: &[&str] = &[
    "lahar-core",
    "lahar-places",
    "lahar-documents",
    "lahar-formats",
    "lahar-models",
    "lahar-hazards",
    "lahar-library",
    "lahar-answers",
    "lahar-routes",
    "lahar-bench",
    "lahar",
];

/// Pairs that the order would allow and the map forbids.
const FORBIDDEN: &[(&str, &str)] = &[
    ("lahar-documents", "lahar-places"),
    ("lahar-formats", "lahar-documents"),
    ("lahar-models", "lahar-documents"),
    ("lahar-models", "lahar-places"),
    ("lahar-hazards", "lahar-documents"),
    ("lahar-hazards", "lahar-formats"),
    ("lahar-hazards", "lahar-models"),
    ("lahar-hazards", "lahar-places"),
];

/// Crates that speak to a network. None may come in with the default features: the default
/// configuration opens no socket.
const NETWORK: &[&str] = &[
    "async-std",
    "curl",
    "h2",
    "hyper",
    "isahc",
    "native-tls",
    "openssl",
    "openssl-sys",
    "quinn",
    "reqwest",
    "rustls",
    "socket2",
    "surf",
    "tokio",
    "tungstenite",
    "ureq",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifests() -> Vec<(String, toml::Table)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        if let Ok(text) = std::fs::read_to_string(path) {
            let table: toml::Table = toml::from_str(&text).unwrap();
            let name = table["package"]["name"].as_str().unwrap().to_owned();
            found.push((name, table));
        }
    }
    assert!(found.len() >= 7);
    found
}

fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    manifest
        .get("dependencies")
        .and_then(toml::Value::as_table)
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}

#[test]
fn every_crate_knows_only_those_before_it_on_the_map() {
    let rank = |name: &str| ORDER.iter().position(|known| *known == name);
    for (name, manifest) in manifests() {
        let own = rank(&name).unwrap_or_else(|| panic!("{name} is not on the map"));
        for dependency in dependencies(&manifest)
            .iter()
            .filter(|d| d.starts_with("lahar"))
        {
            let theirs =
                rank(dependency).unwrap_or_else(|| panic!("{dependency} is not on the map"));
            assert!(theirs < own, "{name} may not know {dependency}");
            let forbidden = FORBIDDEN.contains(&(name.as_str(), dependency.as_str()));
            assert!(!forbidden, "{name} may not know {dependency}");
        }
    }
}

#[test]
fn only_the_edge_knows_the_command_line_and_the_benchmarks() {
    for (name, manifest) in manifests() {
        let dependencies = dependencies(&manifest);
        for edge_only in ["clap", "indicatif", "lahar-bench"] {
            assert!(
                name == "lahar" || !dependencies.contains(edge_only),
                "{name} may not know {edge_only}"
            );
        }
        let models_only = ["safetensors", "tokenizers"];
        for library in models_only {
            assert!(
                name == "lahar-models" || !dependencies.contains(library),
                "{name} may not open models"
            );
        }
    }
}

/// Names of the packages that are built with some features, on this system (the crates of others
/// are not fetched); those that only tests need are among them.
fn built_with(features: &[&str]) -> BTreeSet<String> {
    let rustc = std::process::Command::new("rustc")
        .arg("-vV")
        .output()
        .unwrap();
    let rustc = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.expect("rustc names its host");
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", host])
        .args(features)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // `packages` also lists what no feature asks for; the resolved graph does not.
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let ids: BTreeSet<&str> = nodes.iter().filter_map(|n| n["id"].as_str()).collect();
    let packages = metadata["packages"].as_array().unwrap();
    let built = packages
        .iter()
        .filter(|package| ids.contains(package["id"].as_str().unwrap()));
    built
        .map(|package| package["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn no_crate_that_speaks_to_a_network_is_in_the_default_tree() {
    let default = built_with(&[]);
    assert!(default.len() > 50);
    for name in NETWORK {
        assert!(!default.contains(*name), "{name} speaks to a network");
    }
    // The same look sees what the feature brings in.
    let with_network = built_with(&["--features", "lahar/network"]);
    assert!(with_network.contains("ureq") && with_network.contains("rustls"));
}
