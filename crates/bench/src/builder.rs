//! Question sets built by rules from any library: true/false and multiple choice, each with the
//! sentence it was made from.
//!
//! ```text
//! paragraphs -> sentences -> (unusable ones are Invalid) -> category
//!   -> true: reworded | false: one thing changed | choice: a gap and four fillings
//!   -> checked, duplicates dropped, labels balanced, guessable items named
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `sentence` | sentences of a paragraph, and why one makes no question |
//! | `spot` | figures, dates and names in a sentence, by kind |
//! | `category` | the four categories of MoRA-RAG, by cue words |
//! | [`change`] | rewordings that keep the meaning, changes that do not |
//! | `choice` | gaps with four fillings of one kind, all from the library |
//! | [`guess`] | what can be answered without the document |
//! | [`tables`] | MoRA-RAG's Table 1 and Figure 2 for the set |
//!
//! Nothing here is shared with the claim checker of `lahar-answers`. Items whose change the checker
//! has no rule for are marked, so that its figures can be read apart.

use std::collections::{BTreeMap, HashSet};

use lahar_core::ContentHash;
use serde::Serialize;

use crate::draw::SplitMix64;
use crate::error::Error;
use crate::questions::parse_items;

mod category;
pub mod change;
mod choice;
pub mod guess;
mod sentence;
mod spot;
pub mod tables;
#[cfg(test)]
mod tests;

pub use category::Category;
use change::Change;
use sentence::Unusable;

/// What a set is built with. The same settings over the same library give the same set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Start of every draw.
    pub seed: u64,
    /// Items wanted; a small library gives fewer.
    pub items: usize,
    /// Leave out what can be answered without the document.
    pub drop_guessable: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 20_261_201,
            items: 1_800,
            drop_guessable: false,
        }
    }
}

/// A document to build from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// File name, without folders.
    pub document: String,
    /// Its running text.
    pub paragraphs: Vec<Paragraph>,
}

/// One paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// Its words.
    pub text: String,
    /// The hazard it is about.
    pub hazard: String,
}

/// One item, in the fields of the question formats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuiltItem {
    /// Name, one of its kind.
    pub id: String,
    /// What is asked.
    pub question: String,
    /// `TF` or `MC`.
    pub r#type: &'static str,
    /// The labels, or the fillings by letter.
    pub options: Options,
    /// The right one.
    pub answer: String,
    /// One of the four.
    pub category: Category,
    /// What it is about.
    pub hazard: String,
    /// File name of its document.
    pub document: String,
    /// The sentence it was made from.
    pub evidence: String,
    /// How it was made.
    pub made_by: Change,
    /// Whether the claim checker has a rule for what was changed.
    pub checker_has_rule: bool,
    /// Ways in which it can be answered without the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guessable_by: Vec<guess::Guess>,
}

/// What can be answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Options {
    /// Of a statement.
    Labels([&'static str; 2]),
    /// Of a gap.
    Letters(BTreeMap<char, String>),
}

/// A set with what was left out on the way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Built {
    /// What it was built with.
    pub settings: Settings,
    /// Hash of the items as JSON Lines.
    pub hash: String,
    /// Sentences looked at.
    pub sentences: usize,
    /// Sentences that make no question, by reason: the Invalid filter.
    pub invalid: BTreeMap<Unusable, usize>,
    /// Items that came up a second time.
    pub duplicates: usize,
    /// Items that can be answered without the document, by the way it is done; left out with
    /// `drop_guessable`.
    pub guessable: guess::Report,
    /// The items. They are made of other people's sentences and are never shown with the report.
    #[serde(skip)]
    pub items: Vec<BuiltItem>,
}

impl Built {
    /// The items as JSON Lines.
    pub fn json_lines(&self) -> String {
        json_lines(&self.items)
    }
}

fn json_lines(items: &[BuiltItem]) -> String {
    let lines = items
        .iter()
        .filter_map(|item| serde_json::to_string(item).ok());
    lines.map(|line| line + "\n").collect()
}

/// A sentence that can make items.
#[derive(Debug, Clone)]
struct Usable<'s> {
    text: String,
    document: &'s str,
    hazard: &'s str,
    category: Category,
}

/// Share of true/false items, as in MoRA-RAG's Table 1.
const TRUE_FALSE: f64 = 3_616.0 / 5_776.0;
/// Share of the false statements whose change the checker has no rule for.
const WITHOUT_RULE: f64 = 0.7;

/// Builds a set.
///
/// # Errors
/// Where an item does not keep to the question format: a fault of the builder.
pub fn build(sources: &[Source], settings: &Settings) -> Result<Built, Error> {
    let (usable, invalid, sentences) = usable(sources, settings.seed);
    let stock = choice::Stock::of(usable.iter().map(|u| u.text.as_str()));
    let material = change::Material::of(usable.iter().map(|u| (u.document, u.text.as_str())));
    let mut maker = Maker {
        settings,
        seen: HashSet::new(),
        duplicates: 0,
        made: BTreeMap::new(),
        letters: BTreeMap::new(),
        without_rule: 0,
        falsified: 0,
    };
    let wanted = (settings.items as f64 * TRUE_FALSE / 2.0).round() as usize;
    let choices_wanted = settings.items.saturating_sub(2 * wanted);
    let (mut truths, mut falsehoods, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    for sentence in &usable {
        let mut draw = SplitMix64::named(settings.seed, &sentence.text);
        // The scarcest of the three first; one sentence makes at most one statement.
        let lead = [truths.len(), falsehoods.len()];
        if choices.len() < choices_wanted && draw.below(3) == 0 {
            choices.extend(maker.choice(sentence, &stock, &mut draw));
        }
        let first_false = lead[1] <= lead[0];
        for wants_false in [first_false, !first_false] {
            let (list, full) = match wants_false {
                true => (&mut falsehoods, lead[1] >= wanted),
                false => (&mut truths, lead[0] >= wanted),
            };
            let item = match full {
                true => None,
                false => maker.statement(sentence, wants_false, &material, &mut draw),
            };
            if let Some(item) = item {
                list.push(item);
                break;
            }
        }
    }
    for sentence in &usable {
        if choices.len() >= choices_wanted {
            break;
        }
        let mut draw = SplitMix64::named(settings.seed, &sentence.text);
        choices.extend(maker.choice(sentence, &stock, &mut draw));
    }
    let even = truths.len().min(falsehoods.len());
    truths.truncate(even);
    falsehoods.truncate(even);
    let mut items: Vec<BuiltItem> = truths;
    items.extend(falsehoods);
    items.extend(choices);
    let guessable = guess::mark(&mut items);
    if settings.drop_guessable {
        items.retain(|item| item.guessable_by.is_empty());
        balance(&mut items);
    }
    for (number, item) in items.iter_mut().enumerate() {
        item.id = format!("built-{:05}", number + 1);
    }
    let lines = json_lines(&items);
    if !items.is_empty() {
        parse_items(&lines, "the built set".as_ref())?;
    }
    Ok(Built {
        settings: settings.clone(),
        hash: ContentHash::of(lines.as_bytes()).to_string(),
        sentences,
        invalid,
        duplicates: maker.duplicates,
        guessable,
        items,
    })
}

/// As many true statements as false ones, from the front.
fn balance(items: &mut Vec<BuiltItem>) {
    let count = |label: &str| items.iter().filter(|item| item.answer == label).count();
    let even = count("True").min(count("False"));
    let mut kept = BTreeMap::new();
    items.retain(|item| {
        let of_label = kept.entry(item.answer.clone()).or_insert(0_usize);
        *of_label += 1;
        item.r#type == "MC" || *of_label <= even
    });
}

/// The sentences that can make items, documents taking turns, each in an order drawn for it.
fn usable(sources: &[Source], seed: u64) -> (Vec<Usable<'_>>, BTreeMap<Unusable, usize>, usize) {
    let mut invalid = BTreeMap::new();
    let mut count = 0;
    let mut known = HashSet::new();
    let mut ranked = Vec::new();
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_by(|a, b| a.document.cmp(&b.document));
    for source in sources {
        let mut of_document = Vec::new();
        for paragraph in &source.paragraphs {
            for text in sentence::sentences(&paragraph.text) {
                count += 1;
                let judged = sentence::check(&text)
                    .and_then(|()| Category::of(&text).ok_or(Unusable::Vague));
                match judged {
                    Err(reason) => *invalid.entry(reason).or_insert(0) += 1,
                    Ok(_) if !known.insert(folded(&text)) => {
                        *invalid.entry(Unusable::Repeated).or_insert(0) += 1;
                    }
                    Ok(category) => of_document.push(Usable {
                        text,
                        document: &source.document,
                        hazard: &paragraph.hazard,
                        category,
                    }),
                }
            }
        }
        SplitMix64::named(seed, &source.document).shuffle(&mut of_document);
        ranked.extend(of_document.into_iter().enumerate());
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let usable = ranked.into_iter().map(|(_, usable)| usable).collect();
    (usable, invalid, count)
}

/// Letters and digits, small: what tells two items apart.
fn folded(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

struct Maker<'b> {
    settings: &'b Settings,
    seen: HashSet<String>,
    duplicates: usize,
    made: BTreeMap<Change, usize>,
    letters: BTreeMap<char, usize>,
    without_rule: usize,
    falsified: usize,
}

impl Maker<'_> {
    fn statement(
        &mut self,
        sentence: &Usable<'_>,
        falsify: bool,
        material: &change::Material,
        draw: &mut SplitMix64,
    ) -> Option<BuiltItem> {
        let mut ways = match falsify {
            true => change::falsified(&sentence.text, sentence.document, material, draw),
            false => change::reworded(&sentence.text, draw),
        };
        ways.retain(|(_, text)| folded(text) != folded(&sentence.text) || !falsify);
        // Kinds that are rare so far go first, and those without a rule while they are too few.
        let short =
            falsify && (self.without_rule as f64) < WITHOUT_RULE * (self.falsified + 1) as f64;
        ways.sort_by_key(|(kind, _)| {
            let wrong_side = falsify && kind.checker_has_rule() == short;
            (wrong_side, self.made.get(kind).copied().unwrap_or(0), *kind)
        });
        let (kind, mut text) = ways.into_iter().next()?;
        // Words of one meaning stand in false statements too, so that they do not tell the label.
        if falsify && draw.below(3) > 0 {
            let reworded = change::reworded(&text, draw);
            let other = reworded
                .into_iter()
                .find(|(kind, _)| *kind == Change::Synonym);
            text = other.map_or(text, |(_, text)| text);
        }
        let item = self.item(
            sentence,
            text,
            kind,
            "TF",
            if falsify { "False" } else { "True" },
        )?;
        self.falsified += usize::from(falsify);
        self.without_rule += usize::from(falsify && !kind.checker_has_rule());
        Some(item)
    }

    fn choice(
        &mut self,
        sentence: &Usable<'_>,
        stock: &choice::Stock,
        draw: &mut SplitMix64,
    ) -> Option<BuiltItem> {
        let mut gap = choice::gap(&sentence.text, stock, draw)?;
        // Every letter is right as often as the others.
        let rarest = gap.options.keys().copied();
        let letter = rarest.min_by_key(|letter| self.letters.get(letter).copied().unwrap_or(0))?;
        let there = gap
            .options
            .insert(letter, gap.options[&gap.answer].clone())?;
        if letter != gap.answer {
            gap.options.insert(gap.answer, there);
        }
        let answer = letter.to_string();
        let mut item = self.item(sentence, gap.question, gap.kind, "MC", &answer)?;
        item.options = Options::Letters(gap.options);
        *self.letters.entry(letter).or_insert(0) += 1;
        Some(item)
    }

    fn item(
        &mut self,
        sentence: &Usable<'_>,
        question: String,
        made_by: Change,
        r#type: &'static str,
        answer: &str,
    ) -> Option<BuiltItem> {
        debug_assert!(self.settings.items > 0);
        if !self.seen.insert(folded(&question)) {
            self.duplicates += 1;
            return None;
        }
        *self.made.entry(made_by).or_insert(0) += 1;
        Some(BuiltItem {
            id: String::new(),
            question,
            r#type,
            options: Options::Labels(["True", "False"]),
            answer: answer.to_owned(),
            category: sentence.category,
            hazard: sentence.hazard.to_owned(),
            document: sentence.document.to_owned(),
            evidence: sentence.text.clone(),
            made_by,
            checker_has_rule: made_by.checker_has_rule(),
            guessable_by: Vec::new(),
        })
    }
}
