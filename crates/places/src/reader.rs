//! Reading a text: recognition, resolution, coordinates, and what is only said aside.

mod asides;

use lahar_core::{CharRange, TextIndex};

use crate::coordinates::{GeoBox, Written, WrittenWhat, find_written};
use crate::error::PlacesError;
use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};
use crate::kind::Kind;
use crate::mention::{Candidate, Mention, Role, Status};
use crate::resolve::{self, Reading, Setting};
use crate::tag::{self, SpanTagger};

impl Gazetteer {
    /// Finds and resolves the places of a text.
    pub fn tag(&self, text: &str, reading: &Reading) -> Vec<Mention> {
        let question = reading.setting == Setting::Question;
        let drafts = tag::recognise(self, text, question);
        let mentions = resolve::resolve(self, text, &drafts, reading);
        self.finish(text, mentions, question)
    }

    /// The same with a tagger of the caller's own, such as a model: its spans, our resolution.
    pub fn tag_with(
        &self,
        tagger: &dyn SpanTagger,
        text: &str,
        reading: &Reading,
    ) -> Result<Vec<Mention>, PlacesError> {
        let drafts = tag::at_spans(self, text, &tagger.spans(text)?);
        let mentions = resolve::resolve(self, text, &drafts, reading);
        Ok(self.finish(text, mentions, reading.setting == Setting::Question))
    }

    /// Resolves spans that are known to be places; they count Unicode scalar values.
    pub fn resolve_spans(
        &self,
        text: &str,
        spans: &[(usize, usize)],
        reading: &Reading,
    ) -> Vec<Mention> {
        let index = TextIndex::new(text);
        let bytes: Vec<std::ops::Range<usize>> = spans
            .iter()
            .map(|(start, end)| index.byte(*start)..index.byte(*end))
            .collect();
        let drafts = tag::at_spans(self, text, &bytes);
        resolve::resolve(self, text, &drafts, reading)
    }

    fn finish(&self, text: &str, mut mentions: Vec<Mention>, question: bool) -> Vec<Mention> {
        let index = TextIndex::new(text);
        if !question {
            asides::mark(&index, &mut mentions);
        }
        self.known_parts(&index, &mut mentions);
        let written = find_written(text);
        if !written.is_empty() {
            let written: Vec<Mention> = written
                .iter()
                .map(|written| self.written(&index, written))
                .collect();
            mentions.retain(|known| {
                // The first that does not end before it.
                let at = written.partition_point(|one| one.range.end <= known.range.start);
                written
                    .get(at)
                    .is_none_or(|one| !one.range.overlaps(known.range))
            });
            mentions.extend(written);
            mentions.sort_by_key(|mention| mention.range.start);
        }
        mentions
    }

    /// "northern California" is the region of that name, where one is known.
    fn known_parts(&self, index: &TextIndex<'_>, mentions: &mut [Mention]) {
        for mention in mentions
            .iter_mut()
            .filter(|mention| mention.role == Role::Part)
        {
            let Some(whole) = mention.best() else {
                continue;
            };
            let before = index.byte(mention.range.start);
            let direction = index.text()[..before]
                .trim_end()
                .rsplit(char::is_whitespace)
                .next();
            let names = [
                direction.map(|word| format!("{word} {}", self.name(whole))),
                Some(mention.text.clone()),
            ];
            let region = names.into_iter().flatten().find_map(|name| {
                self.meanings(&name)
                    .into_iter()
                    .map(|meaning| meaning.place)
                    .find(|place| {
                        matches!(
                            self.kind(*place),
                            Kind::Subregion | Kind::Region | Kind::Physical | Kind::CensusRegion
                        )
                    })
            });
            if let Some(region) = region {
                mention.role = Role::Place;
                mention.place = Some(region);
                mention.status = Status::Resolved;
                mention.candidates = vec![Candidate {
                    place: region,
                    share: 1.0,
                }];
                mention.evidence = vec!["a region of that name".into()];
            }
        }
    }

    /// Coordinates as a mention; those that are no place on Earth are unknown.
    fn written(&self, index: &TextIndex<'_>, written: &Written) -> Mention {
        let range: CharRange = index.range(written.start..written.end);
        let mut mention = Mention {
            text: index.text()[written.start..written.end].to_owned(),
            range,
            status: Status::Unknown,
            place: None,
            subject: None,
            candidates: Vec::new(),
            margin: 0.0,
            evidence: Vec::new(),
            role: Role::Point,
            qualifies: false,
            parent_in_text: None,
            likely_within: None,
        };
        match written.what {
            WrittenWhat::Point(lat, lon) => match GeoPoint::checked(lat, lon) {
                Ok(point) => {
                    let located = self.locate(point, 0.0);
                    if located.is_ambiguous() {
                        mention.status = Status::Ambiguous;
                        mention.evidence.push("the point lies on a boundary".into());
                    } else if !located.subject.parents.is_empty() {
                        mention.status = Status::Resolved;
                        mention.margin = 1.0;
                    }
                    mention.candidates = even(&located.counties);
                    mention.subject = Some(located.subject);
                }
                Err(error) => mention.evidence.push(error.to_string()),
            },
            WrittenWhat::Box(south, west, north, east) => {
                mention.role = Role::Box;
                match GeoBox::checked(south, west, north, east) {
                    Ok(area) => {
                        let subject = self.locate_box(area);
                        if !subject.units.is_empty() || subject.place.is_some() {
                            mention.status = Status::Resolved;
                            mention.margin = 1.0;
                        }
                        mention.subject = Some(subject);
                    }
                    Err(error) => mention.evidence.push(error.to_string()),
                }
            }
        }
        mention
    }
}

fn even(places: &[PlaceId]) -> Vec<Candidate> {
    places
        .iter()
        .map(|place| Candidate {
            place: *place,
            share: 1.0 / places.len() as f32,
        })
        .collect()
}
