//! Styles: which are headings, captions, contents, and what they hide.
//!
//! A style's identifier is in the language of the program that wrote it (`berschrift1`,
//! `Titre1`); its outline level is a number, and the names of Word's own styles are kept in
//! English inside the file whatever the program shows.

use std::collections::HashMap;

use super::xml::{self, Piece};
use crate::error::ReadError;

/// All styles of a document by their identifier.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: HashMap<String, Style>,
    /// The style of paragraphs that name none.
    default: Option<String>,
}

#[derive(Debug, Default, Clone)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    list: Option<(String, Option<u8>)>,
    hidden: Option<bool>,
}

/// A chain of styles is followed this far; documents may make circles of them.
const LONGEST_CHAIN: usize = 32;

impl Styles {
    pub fn read(part: &str, text: &str) -> Result<Styles, ReadError> {
        let mut styles = Styles::default();
        let mut open: Option<(String, Style)> = None;
        xml::walk(part, text, &mut |piece| {
            match piece {
                Piece::Open(element) if element.name() == "style" => {
                    let id = element.attribute("styleId").unwrap_or_default();
                    let is_default = element
                        .attribute("default")
                        .is_some_and(|value| value == "1" || value == "true");
                    if is_default && element.attribute("type").as_deref() == Some("paragraph") {
                        styles.default = Some(id.clone());
                    }
                    open = Some((id, Style::default()));
                }
                Piece::Open(element) => {
                    let Some((_, style)) = &mut open else {
                        return Ok(());
                    };
                    let number = || element.value().and_then(|value| value.parse::<u8>().ok());
                    match element.name() {
                        "name" => {
                            style.name = element.value().unwrap_or_default().to_lowercase();
                        }
                        "basedOn" => style.based_on = element.value(),
                        "outlineLvl" => style.outline = number(),
                        "numId" => {
                            let level = style.list.take().and_then(|(_, level)| level);
                            style.list = element.value().map(|id| (id, level));
                        }
                        "ilvl" => {
                            let level = number();
                            let id = style.list.take().map(|(id, _)| id).unwrap_or_default();
                            style.list = Some((id, level));
                        }
                        "vanish" => style.hidden = Some(element.is_on()),
                        _ => {}
                    }
                }
                Piece::Close("style") => {
                    if let Some((id, style)) = open.take() {
                        styles.by_id.insert(id, style);
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(styles)
    }

    /// A style and those it is based on, nearest first.
    fn chain<'a>(&'a self, id: Option<&'a str>) -> impl Iterator<Item = &'a Style> {
        let first = id.or(self.default.as_deref());
        let next = |style: &&'a Style| {
            let above = style.based_on.as_deref()?;
            self.by_id.get(above)
        };
        std::iter::successors(first.and_then(|id| self.by_id.get(id)), next).take(LONGEST_CHAIN)
    }

    /// The outline level of paragraphs in this style, 0 for the outermost; 9 is running text.
    pub fn outline(&self, id: Option<&str>) -> Option<u8> {
        self.chain(id).find_map(|style| {
            // "heading 3" is the name of Word's own style in every language.
            let by_name = style
                .name
                .strip_prefix("heading ")
                .and_then(|level| level.parse::<u8>().ok())
                .and_then(|level| level.checked_sub(1));
            style.outline.or(by_name)
        })
    }

    /// The list that paragraphs in this style belong to.
    pub fn list(&self, id: Option<&str>) -> Option<(String, u8)> {
        let of_id = self
            .chain(id)
            .filter_map(|style| style.list.as_ref())
            .find(|(list, _)| !list.is_empty())?;
        let level = self
            .chain(id)
            .find_map(|style| style.list.as_ref().and_then(|(_, level)| *level));
        Some((of_id.0.clone(), level.unwrap_or(0)))
    }

    /// Whether text in this style is hidden.
    pub fn is_hidden(&self, id: Option<&str>) -> bool {
        self.chain(id)
            .find_map(|style| style.hidden)
            .unwrap_or(false)
    }

    /// Whether the style, or one it is based on, has one of these names.
    pub fn is_named(&self, id: Option<&str>, wanted: impl Fn(&str) -> bool) -> bool {
        self.chain(id).any(|style| wanted(&style.name))
    }
}
