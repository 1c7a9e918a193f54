//! Build chores: `cargo xtask gazetteer [--shared DIR] [--polygons FILE.shp]`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a command-line program

mod gazetteer;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        arguments
            .iter()
            .position(|argument| argument == name)
            .and_then(|at| arguments.get(at + 1))
            .cloned()
    };
    match arguments.first().map(String::as_str) {
        Some("gazetteer") => match gazetteer::run(option("--shared"), option("--polygons")) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("gazetteer: {message}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("usage: cargo xtask gazetteer [--shared DIR] [--polygons FILE.shp]");
            ExitCode::from(2)
        }
    }
}
