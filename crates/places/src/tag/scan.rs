//! The longest name at each word, by walking the name index.

use std::collections::HashMap;

use super::tokens::{Case, Gap, Token};
use crate::fold::{Folded, expand_word, fold_char};
use crate::gazetteer::{Gazetteer, Meaning};

/// Words of the longest name that is looked for.
const MOST_WORDS: usize = 9;

/// A name found at some words.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// First word.
    pub first: usize,
    /// Word behind the last.
    pub end: usize,
    /// What it may mean.
    pub meanings: Vec<Meaning>,
}

/// Writes a word as the index has it.
pub(crate) fn folded_word(text: &str, token: &Token, folded: &mut String) {
    folded.clear();
    for c in text[token.start..token.end].chars() {
        match fold_char(c) {
            Folded::Byte(b) => folded.push(char::from(b)),
            Folded::Char(c) => folded.push(c),
            Folded::Letters(letters) => folded.push_str(letters),
            Folded::Nothing | Folded::Gap | Folded::Stop => {}
        }
    }
}

/// Whether two words may belong to one name.
pub(crate) fn joins(text: &str, before: &Token, word: &Token) -> bool {
    match word.gap {
        // Queen Anne's County, Martha's Vineyard
        Gap::Space | Gap::Hyphen => true,
        // St. Louis, U.S. Virgin Islands
        Gap::Period => {
            before.end - before.start <= 4 && !before.possessive && {
                let word = &text[before.start..before.end];
                expand_word(&word.to_lowercase()).is_some() || before.dotted
            }
        }
        _ => false,
    }
}

/// The longest name that begins at a word, and how many words it takes.
pub(crate) fn longest(
    gazetteer: &Gazetteer,
    text: &str,
    tokens: &[Token],
    first: usize,
    lower_case: bool,
    buffer: &mut String,
) -> Option<Found> {
    let fst = gazetteer.name_index().as_fst();
    let mut node = fst.root();
    let mut output = fst::raw::Output::zero();
    let mut alive = true;
    let mut best: Option<(usize, u64)> = None;
    let own: &HashMap<String, Vec<Meaning>> = gazetteer.own_names();
    let mut own_best: Option<(usize, &Vec<Meaning>)> = None;
    let mut joined = String::new();
    let most = MOST_WORDS.max(gazetteer.longest_own_name());
    for (count, at) in (first..tokens.len().min(first + most)).enumerate() {
        let token = &tokens[at];
        if count > 0 && !joins(text, &tokens[at - 1], token) {
            break;
        }
        folded_word(text, token, buffer);
        let word = expand_word(buffer).unwrap_or(buffer);
        if alive {
            if count > 0 {
                if tokens[at - 1].possessive {
                    alive = step(fst, &mut node, &mut output, b's');
                }
                alive = alive && step(fst, &mut node, &mut output, b' ');
            }
            for byte in word.bytes() {
                alive = alive && step(fst, &mut node, &mut output, byte);
            }
        }
        if !own.is_empty() {
            if count > 0 {
                joined.push(' ');
            }
            joined.push_str(word);
        }
        // The last word of a name begins with a capital, unless the whole text is small.
        let ends = lower_case || token.case != Case::Lower;
        if ends && alive && node.is_final() {
            best = Some((at + 1, output.cat(node.final_output()).value()));
        }
        if let Some(meanings) = own.get(&joined).filter(|_| !own.is_empty() && ends) {
            own_best = Some((at + 1, meanings));
        }
        if !alive && own.is_empty() {
            break;
        }
    }
    let mut meanings = Vec::new();
    let stored_end = best.map_or(0, |(end, _)| end);
    let own_end = own_best.map_or(0, |(end, _)| end);
    let end = stored_end.max(own_end);
    if end == 0 {
        return None;
    }
    if let Some((_, value)) = best.filter(|_| stored_end == end) {
        gazetteer.unpack_meanings(value, &mut meanings);
    }
    if let Some((_, own)) = own_best.filter(|_| own_end == end) {
        meanings.extend(own.iter().copied());
    }
    Some(Found {
        first,
        end,
        meanings,
    })
}

fn step<'f>(
    fst: &'f fst::raw::Fst<&'static [u8]>,
    node: &mut fst::raw::Node<'f>,
    output: &mut fst::raw::Output,
    byte: u8,
) -> bool {
    match node.find_input(byte) {
        Some(at) => {
            let transition = node.transition(at);
            *output = output.cat(transition.out);
            *node = fst.node(transition.addr);
            true
        }
        None => false,
    }
}
