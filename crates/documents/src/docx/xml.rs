//! The parts of an office document as a stream of elements and characters.
//!
//! Nothing outside a part is ever fetched, and no entity is expanded but the five that XML itself
//! knows and references to characters: a part that declares others is refused.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::error::ReadError;

/// Deepest nesting of elements. Word's own documents stay below a hundred.
const DEEPEST: usize = 1000;

/// One piece of a part.
pub(super) enum Piece<'a> {
    /// An element begins; each one is closed, empty ones too.
    Open(Element<'a>),
    /// The element that was opened last ends; its name without a prefix.
    Close(&'a str),
    /// Characters.
    Text(&'a str),
}

/// The start of an element.
pub(super) struct Element<'a>(&'a BytesStart<'a>);

impl Element<'_> {
    /// The name without its prefix. Prefixes are the writer's choice.
    pub fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// An attribute's value by its name without a prefix.
    pub fn attribute(&self, name: &str) -> Option<String> {
        // Looking for doubled names costs the square of their number; the first one counts here.
        let mut attributes = self.0.attributes();
        let found = attributes
            .with_checks(false)
            .filter_map(Result::ok)
            .find(|attribute| local(attribute.key.0) == name)?;
        let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
        Some(value.into_owned())
    }

    /// The value of the attribute `val`, in which most properties are kept.
    pub fn value(&self) -> Option<String> {
        self.attribute("val")
    }

    /// Whether a property that is on by its mere presence is on.
    pub fn is_on(&self) -> bool {
        !matches!(self.value().as_deref(), Some("0" | "false" | "off"))
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Hands over the pieces of a part in order.
pub(super) fn walk(
    part: &str,
    text: &str,
    take: &mut dyn FnMut(Piece<'_>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let broken = |what: String| ReadError::Broken {
        reason: format!("its part `{part}` {what}"),
    };
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut depth = 0usize;
    loop {
        let at = reader.buffer_position();
        let event = reader
            .read_event()
            .map_err(|error| broken(format!("is not well-formed XML at byte {at}: {error}")))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(broken(format!("nests more than {DEEPEST} elements")));
                }
                take(Piece::Open(Element(&start)))?;
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                take(Piece::Close(local(end.name().0)))?;
            }
            Event::Text(characters) => take(Piece::Text(&characters))?,
            Event::CData(characters) => take(Piece::Text(&characters))?,
            Event::GeneralRef(reference) => {
                let c = match &*reference {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "apos" => '\'',
                    name => match reference.resolve_char_ref() {
                        Ok(Some(c)) => c,
                        // A number that is no character.
                        Err(_) => '\u{fffd}',
                        Ok(None) => {
                            return Err(broken(format!("names the unknown entity `{name}`")));
                        }
                    },
                };
                take(Piece::Text(c.encode_utf8(&mut [0; 4])))?;
            }
            Event::DocType(_) => {
                return Err(broken(
                    "declares a document type, which office documents never do; it may hold \
                     entities that swell, so it was not read"
                        .to_owned(),
                ));
            }
            Event::Eof if depth > 0 => {
                return Err(broken("ends in the middle of an element".to_owned()));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
