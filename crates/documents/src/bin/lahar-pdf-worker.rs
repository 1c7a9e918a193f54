//! The PDF worker as a program of its own. `lahar` is its own worker; this one serves the tests
//! of this crate and programs that use the crate as a library.

fn main() {
    lahar_documents::pdf::worker::run_worker()
}
