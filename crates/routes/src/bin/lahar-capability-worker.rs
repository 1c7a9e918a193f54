//! The process that runs one capability; the `lahar` program is its own.

fn main() {
    lahar_routes::run::worker::run_worker()
}
