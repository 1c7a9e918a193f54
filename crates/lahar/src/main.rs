//! The `lahar` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    lahar_documents::run_worker_if_asked();
    lahar_routes::run::worker::run_worker_if_asked();
    lahar::command_line::run()
}
