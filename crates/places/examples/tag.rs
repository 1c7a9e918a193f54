//! Tags the text of the arguments.
#![allow(clippy::print_stdout)] // a command-line program

use lahar_places::{Gazetteer, Reading};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let question = arguments.first().is_some_and(|first| first == "-q");
    if question {
        arguments.remove(0);
    }
    let gazetteer = Gazetteer::embedded();
    let reading = if question {
        Reading::question()
    } else {
        Reading::default()
    };
    for text in arguments {
        println!("{text}");
        for mention in gazetteer.tag(&text, &reading) {
            let candidates: Vec<String> = mention
                .candidates
                .iter()
                .take(4)
                .map(|c| {
                    format!(
                        "{} [{}] {:.2}",
                        gazetteer.qualified(c.place),
                        gazetteer.kind(c.place),
                        c.share
                    )
                })
                .collect();
            println!(
                "  {:?} {:?} {:?} {} | {} | {:?}",
                mention.text,
                mention.status,
                mention.role,
                mention.place.map_or("-".into(), |p| gazetteer.qualified(p)),
                candidates.join("; "),
                mention.evidence
            );
        }
    }
}
