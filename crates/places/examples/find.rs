//! Finds the one place of each argument.
#![allow(clippy::print_stdout)] // a command-line program

use lahar_places::Gazetteer;

fn main() {
    let gazetteer = Gazetteer::embedded();
    for text in std::env::args().skip(1) {
        match gazetteer.place_named(&text) {
            Ok(place) => println!(
                "{text} = {} [{}] {}",
                gazetteer.qualified(place),
                gazetteer.kind(place),
                gazetteer.id_text(place)
            ),
            Err(error) => println!("{text}: {error}"),
        }
    }
}
