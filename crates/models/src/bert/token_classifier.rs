//! Token classifiers: BERT with one label a token (Devlin et al. 2019, section 5.3; the classes
//! `BertForTokenClassification`).

use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::batch::BatchEncoder;
use super::config::{self, EmbedderConfig};
use super::encoder::{Encoder, Sequence};
use super::parallel;
use super::tokens::{ModelTokenizer, Place};
use super::weights::{self, TokenHead};
use crate::ModelError;
use crate::embed::Tokenizer;
use crate::tagger::{TaggedSpan, TokenTagger};

/// Words that a window shares with the one before and after it, as a part of its tokens: labels
/// at the edge of a window are taken from the window in which they stand further inside.
const OVERLAP: usize = 4;

/// A tagging model of the BERT family, computed on this machine.
///
/// The state of each token goes through one dense layer; its softmax is the probability of each
/// label. A word has the label of its first token. `B-X` begins a span, `I-X` goes on with one of
/// the same kind and else begins one, `E-X` and `L-X` end one, `S-X` and `U-X` are spans by
/// themselves; labels without such a letter make a span of every run of equal labels. A text
/// longer than the model's window is read in windows that overlap.
///
/// ```no_run
/// use lahar_models::{BertTagger, TokenTagger};
/// # fn main() -> Result<(), lahar_models::ModelError> {
/// let model = BertTagger::open(std::path::Path::new("bert-base-NER"), None)?;
/// let spans = model.tag("The levee at Davenport held.")?;
/// assert_eq!(spans[0].label, "LOC");
/// # Ok(())
/// # }
/// ```
pub struct BertTagger {
    name: String,
    tokenizer: ModelTokenizer,
    encoder: BatchEncoder,
    head: TokenHead,
    /// For each output of the head, the label's parts.
    outputs: Vec<Output>,
    labels: Vec<String>,
    max_length: usize,
}

/// Where in a span a label stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Begin,
    Inside,
    End,
    Single,
    /// The label says nothing about it.
    Run,
}

/// An output of the head: outside of every span, or a kind with its place in the span.
type Output = Option<(Part, String)>;

/// Bytes of a text that are read together, and the bytes of the words whose labels are taken from
/// there.
type Window = (Range<usize>, Range<usize>);

/// A word with its label.
struct Word {
    range: Range<usize>,
    output: usize,
    probability: f32,
}

impl BertTagger {
    /// Opens the model in a folder: `config.json` with `id2label`, `tokenizer.json` and
    /// `model.safetensors`. It computes with `threads` threads, else with as many as the machine
    /// has cores; the labels do not depend on it.
    pub fn open(folder: &Path, threads: Option<usize>) -> Result<BertTagger, ModelError> {
        let name = folder.file_name().map_or_else(
            || "tagger".into(),
            |name| name.to_string_lossy().into_owned(),
        );
        let listed = config::token_labels(folder)?;
        let settings = config::settings(folder, &EmbedderConfig::default())?;
        let sizes = &settings.architecture;
        let max_length = settings.max_length;
        let (tokenizer, _) =
            ModelTokenizer::open(folder, &name, sizes.vocabulary, sizes.types, max_length)?;
        let (weights, head) =
            weights::read_with_token_head(&weights::path(folder)?, sizes, listed.len())?;
        let outputs: Vec<Output> = listed.iter().map(|label| output(label)).collect();
        let mut labels: Vec<String> = outputs
            .iter()
            .flatten()
            .map(|(_, label)| label.clone())
            .collect();
        labels.sort();
        labels.dedup();
        if labels.is_empty() {
            let reason = "id2label of config.json has no label but `O`";
            return Err(ModelError::unsupported(folder, reason));
        }
        Ok(BertTagger {
            name,
            tokenizer,
            encoder: BatchEncoder::new(
                Encoder::new(settings.architecture.clone(), weights),
                threads,
            ),
            head,
            outputs,
            labels,
            max_length,
        })
    }

    /// Tokens that are read together, special tokens included.
    pub fn max_length(&self) -> usize {
        self.max_length
    }

    /// The probability of each label of `id2label`, in its order, for every token of a text that
    /// fits the window, special tokens left out.
    pub fn probabilities(&self, text: &str) -> Result<Vec<Vec<f32>>, ModelError> {
        let (sequence, places) = self.tokenizer.located("", text, false)?;
        let mut found = self.encoder.run(&[sequence], |states, member, _| {
            let rows: Vec<&[f32]> = states.tokens(member).collect();
            places
                .iter()
                .map(|(row, _)| self.head.probabilities(rows[*row]))
                .collect::<Vec<_>>()
        });
        Ok(found.pop().unwrap_or_default())
    }

    /// Windows of a text: together they read all of it, and each word counts in one.
    fn windows(&self, text: &str) -> Result<Vec<Window>, ModelError> {
        let tokens = self.tokenizer.token_ranges(text)?;
        let words = words(text, &tokens);
        let room = self.max_length.saturating_sub(2).max(1);
        if tokens.len() <= room {
            return Ok(vec![(0..text.len(), 0..text.len())]);
        }
        let overlap = room / OVERLAP;
        let mut windows = Vec::new();
        let mut first = 0;
        while first < words.len() {
            // From this word on, as many whole words as fit; a word longer than the window alone.
            let start = words[first].start;
            let mut last = first + 1;
            while last < words.len() && words[last].end - start <= room {
                last += 1;
            }
            // The next window begins with words of this one.
            let end = words[last - 1].end;
            let mut next = last;
            while next > first + 1 && last < words.len() && end - words[next - 1].start <= overlap {
                next -= 1;
            }
            windows.push((first, last));
            first = if last == words.len() { last } else { next };
        }
        let byte = |word: usize| tokens[words[word].start].start;
        let middle = |one: (usize, usize), other: (usize, usize)| {
            // Shared words are halved between two windows.
            let shared = one.1.saturating_sub(other.0);
            byte(other.0 + shared / 2)
        };
        Ok((0..windows.len())
            .map(|at| {
                let (from, to) = windows[at];
                let read = byte(from)..tokens[words[to - 1].end - 1].end;
                let begin = match at {
                    0 => 0,
                    _ => middle(windows[at - 1], windows[at]),
                };
                let end = windows
                    .get(at + 1)
                    .map_or(text.len(), |next| middle(windows[at], *next));
                (read, begin..end)
            })
            .collect())
    }

    /// The labelled words of a text.
    fn labelled(&self, text: &str) -> Result<Vec<Word>, ModelError> {
        let windows = self.windows(text)?;
        let read = parallel::map(self.encoder.threads(), &windows, |(bytes, _)| {
            self.tokenizer.located("", &text[bytes.clone()], false)
        });
        let read = read.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (sequences, places): (Vec<Sequence>, Vec<Vec<Place>>) = read.into_iter().unzip();
        let found = self.encoder.run(&sequences, |states, member, number| {
            let rows: Vec<&[f32]> = states.tokens(member).collect();
            let (bytes, counted) = &windows[number];
            let shifted: Vec<Range<usize>> = places[number]
                .iter()
                .map(|(_, range)| bytes.start + range.start..bytes.start + range.end)
                .collect();
            words(text, &shifted)
                .into_iter()
                .filter(|word| counted.contains(&shifted[word.start].start))
                .map(|word| {
                    let row = places[number][word.start].0;
                    let (output, probability) = self.head.best(rows[row]);
                    Word {
                        range: shifted[word.start].start..shifted[word.end - 1].end,
                        output,
                        probability,
                    }
                })
                .collect::<Vec<Word>>()
        });
        Ok(found.into_iter().flatten().collect())
    }
}

/// Tokens that make up one word: they touch each other, and letters or digits meet.
fn words(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let goes_on = at > 0
            && tokens[at - 1].end == token.start
            && text[..token.start]
                .chars()
                .next_back()
                .is_some_and(char::is_alphanumeric)
            && text[token.start..]
                .chars()
                .next()
                .is_some_and(char::is_alphanumeric);
        match words.last_mut() {
            Some(word) if goes_on => word.end = at + 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// What an output says; `None` for words outside of every span.
fn output(label: &str) -> Output {
    if matches!(label, "O" | "0" | "OUT" | "OTHER") {
        return None;
    }
    let parts = label.split_once(['-', '_']).and_then(|(letter, kind)| {
        let part = match letter {
            "B" => Part::Begin,
            "I" => Part::Inside,
            "E" | "L" => Part::End,
            "S" | "U" => Part::Single,
            _ => return None,
        };
        Some((part, kind.to_owned()))
    });
    Some(parts.unwrap_or_else(|| (Part::Run, label.to_owned())))
}

impl TokenTagger for BertTagger {
    fn name(&self) -> &str {
        &self.name
    }

    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn tag(&self, text: &str) -> Result<Vec<TaggedSpan>, ModelError> {
        let words = self.labelled(text)?;
        let mut spans: Vec<(TaggedSpan, f32)> = Vec::new();
        // Whether the last span may go on with the next word.
        let mut open = false;
        for word in words {
            let Some((part, label)) = &self.outputs[word.output] else {
                open = false;
                continue;
            };
            let joins = open
                && matches!(part, Part::Inside | Part::End | Part::Run)
                && spans.last().is_some_and(|(span, _)| {
                    span.label == *label && span.range.end <= word.range.start
                });
            match spans.last_mut().filter(|_| joins) {
                Some((span, count)) => {
                    span.range.end = word.range.end;
                    span.score += word.probability;
                    *count += 1.0;
                }
                None => spans.push((
                    TaggedSpan {
                        range: word.range,
                        label: label.clone(),
                        score: word.probability,
                    },
                    1.0,
                )),
            }
            open = !matches!(part, Part::End | Part::Single);
        }
        Ok(spans
            .into_iter()
            .map(|(span, count)| TaggedSpan {
                score: span.score / count,
                ..span
            })
            .collect())
    }
}

impl TokenHead {
    /// Softmax of the dense layer over one token's state.
    fn probabilities(&self, state: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(state.len().max(1));
        let mut values: Vec<f32> = rows
            .zip(&self.bias)
            .map(|(row, bias)| row.iter().zip(state).map(|(w, x)| w * x).sum::<f32>() + bias)
            .collect();
        let largest = values.iter().copied().fold(f32::MIN, f32::max);
        values.iter_mut().for_each(|x| *x = (*x - largest).exp());
        let sum: f32 = values.iter().sum();
        values.iter_mut().for_each(|x| *x /= sum);
        values
    }

    /// The likeliest label and its probability; the first of equal ones.
    fn best(&self, state: &[f32]) -> (usize, f32) {
        self.probabilities(state).into_iter().enumerate().fold(
            (0, f32::MIN),
            |best, (at, value)| {
                if value > best.1 { (at, value) } else { best }
            },
        )
    }
}

impl fmt::Debug for BertTagger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BertTagger")
            .field("name", &self.name)
            .field("labels", &self.labels)
            .field("max_length", &self.max_length)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_with_their_place_in_the_span() {
        assert_eq!(output("O"), None);
        assert_eq!(output("B-LOC"), Some((Part::Begin, "LOC".into())));
        assert_eq!(output("U-GPE"), Some((Part::Single, "GPE".into())));
        assert_eq!(
            output("STREET_NAME"),
            Some((Part::Run, "STREET_NAME".into()))
        );
        assert_eq!(output("CITY"), Some((Part::Run, "CITY".into())));
    }

    #[test]
    fn tokens_join_to_words_where_letters_meet() {
        let text = "Rivers' end";
        let tokens = [0..5, 5..6, 6..7, 8..11];
        assert_eq!(words(text, &tokens), [0..2, 2..3, 3..4]);
    }
}
