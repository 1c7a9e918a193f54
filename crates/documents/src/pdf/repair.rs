//! PDF files whose directory of objects is damaged, cut off, or of a form that the loader does
//! not follow: the objects themselves are looked for, and a directory is written anew behind
//! them.
//!
//! Only the directory is made here. What an object says is read by the loader as ever, and one
//! that is cut off is lost.

use std::collections::BTreeMap;

use pdf_extract::{Dictionary, Document, Object, ObjectId, dictionary};

/// Pages that a damaged file says it had are named up to this number.
const MOST_NAMED: usize = 5000;

/// The keys of a trailer that a new one takes over.
const KEPT: [&str; 4] = ["Root", "Info", "ID", "Encrypt"];

/// A copy of the file with a new directory; `None` when no object is found in it.
pub(super) fn rebuilt(bytes: &[u8]) -> Option<Vec<u8>> {
    // The loader counts from the header too.
    let start = find(bytes, b"%PDF-", 0).unwrap_or(0);
    let bytes = &bytes[start..];
    let mut objects = objects(bytes);
    let last = *objects.keys().next_back()?;
    let trailer = trailer(bytes, &objects);

    let mut copy = bytes.to_vec();
    let mut size = last.checked_add(1)?;
    copy.extend_from_slice(b"\n");
    let mut entries = String::new();
    let mut kept: Vec<u8> = Vec::new();
    for key in KEPT {
        let Some(value) = trailer.get(key) else {
            continue;
        };
        kept.extend_from_slice(format!("/{key} ").as_bytes());
        if key == "Encrypt" && value.starts_with(b"<<") {
            // The loader looks for an object of its own.
            objects.insert(size, (copy.len(), 0));
            copy.extend_from_slice(format!("{size} 0 obj\n").as_bytes());
            copy.extend_from_slice(value);
            copy.extend_from_slice(b"\nendobj\n");
            kept.extend_from_slice(format!("{size} 0 R").as_bytes());
            size = size.checked_add(1)?;
        } else {
            kept.extend_from_slice(value);
        }
        kept.push(b'\n');
    }
    for (number, (offset, generation)) in &objects {
        entries.push_str(&format!("{number} 1\n{offset:010} {generation:05} n \n"));
    }
    let directory = copy.len();
    copy.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    copy.extend_from_slice(entries.as_bytes());
    copy.extend_from_slice(format!("trailer\n<</Size {size}\n").as_bytes());
    copy.extend_from_slice(&kept);
    copy.extend_from_slice(format!(">>\nstartxref\n{directory}\n%%EOF\n").as_bytes());
    Some(copy)
}

/// Makes sure that a document has a tree of pages: where none is left, all pages that were found
/// are put into one, in the order in which they stand in the file. Says how many pages the
/// document had when it was whole, where it still says so.
pub(super) fn mend_pages(document: &mut Document) -> Option<usize> {
    let declared = declared(document);
    if document.get_pages().is_empty() {
        let catalog = document
            .objects
            .iter()
            .rfind(|(_, object)| is_of(object, b"Catalog"))
            .map(|(&id, _)| id);
        if let Some(id) = catalog {
            document.trailer.set("Root", id);
        }
    }
    if document.get_pages().is_empty() {
        gather_pages(document);
    }
    declared.map(|pages| pages.min(document.get_pages().len() + MOST_NAMED))
}

fn is_of(object: &Object, kind: &[u8]) -> bool {
    object.as_dict().is_ok_and(|dict| dict.has_type(kind))
}

/// The number of pages that the first object of a file made for the web states, or its tree of
/// pages.
fn declared(document: &Document) -> Option<usize> {
    let number = |dict: &Dictionary, key: &[u8]| {
        let count = dict.get(key).ok()?.as_i64().ok()?;
        usize::try_from(count).ok()
    };
    document
        .objects
        .values()
        .filter_map(|object| object.as_dict().ok())
        .filter_map(|dict| {
            if dict.has(b"Linearized") {
                number(dict, b"N")
            } else if dict.has_type(b"Pages") && !dict.has(b"Parent") {
                number(dict, b"Count")
            } else {
                None
            }
        })
        .max()
}

fn gather_pages(document: &mut Document) {
    let mut pages: Vec<ObjectId> = document
        .objects
        .iter()
        .filter(|(_, object)| is_of(object, b"Page"))
        .map(|(&id, _)| id)
        .collect();
    // Objects inside streams have no place of their own and follow by their number.
    let place = |id: &ObjectId| match document.reference_table.get(id.0) {
        Some(pdf_extract::xref::XrefEntry::Normal { offset, .. }) => (*offset, *id),
        _ => (u32::MAX, *id),
    };
    pages.sort_by_key(place);
    if pages.is_empty() {
        return;
    }
    let tree = document.new_object_id();
    for id in &pages {
        let parent = document
            .get_dictionary(*id)
            .and_then(|page| page.get(b"Parent"))
            .and_then(Object::as_reference);
        let is_orphan = parent.map_or(true, |parent| document.get_dictionary(parent).is_err());
        if is_orphan && let Ok(page) = document.get_dictionary_mut(*id) {
            page.set("Parent", tree);
        }
    }
    let kids: Vec<Object> = pages.iter().map(|&id| id.into()).collect();
    document.objects.insert(
        tree,
        Object::Dictionary(dictionary! {
            "Type" => "Pages",
            "Count" => kids.len() as i64,
            "Kids" => kids,
            // Pages whose own size was lost with their parent.
            "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
            "Resources" => Dictionary::new(),
        }),
    );
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
}

/// Where each object begins, and its generation; of several with one number the last, which is
/// how changes are saved.
fn objects(bytes: &[u8]) -> BTreeMap<u32, (usize, u16)> {
    let mut objects = BTreeMap::new();
    let mut from = 0;
    while let Some(place) = find(bytes, b"obj", from) {
        from = place + 3;
        if let Some((number, generation, start)) = object_header(bytes, place) {
            objects.insert(number, (start, generation));
        }
    }
    objects
}

/// Reads "12 0 " backwards from the word `obj`.
fn object_header(bytes: &[u8], place: usize) -> Option<(u32, u16, usize)> {
    let number_before = |end: usize| -> Option<(u64, usize)> {
        let spaces = bytes[..end].iter().rev().take(4);
        let end = end - spaces.take_while(|byte| byte.is_ascii_whitespace()).count();
        let digits = bytes[..end].iter().rev().take(10);
        let start = end - digits.take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&bytes[start..end]).ok()?;
        Some((text.parse().ok()?, start))
    };
    let (generation, generation_start) = number_before(place)?;
    let (number, start) = number_before(generation_start)?;
    // "120 obj" is no header: the two numbers must be apart.
    let apart = bytes.get(generation_start.checked_sub(1)?)?;
    if !apart.is_ascii_whitespace() {
        return None;
    }
    let number = u32::try_from(number).ok().filter(|&number| {
        number > 0 && number < 10_000_000 // the largest number of readers in use, 8388607
    })?;
    Some((number, u16::try_from(generation).ok()?, start))
}

/// The values of all trailers, later ones before earlier ones; a directory in a stream has its
/// trailer in the stream's own dictionary.
fn trailer<'a>(
    bytes: &'a [u8],
    objects: &BTreeMap<u32, (usize, u16)>,
) -> BTreeMap<&'static str, &'a [u8]> {
    let mut starts = Vec::new();
    let mut from = 0;
    while let Some(place) = find(bytes, b"trailer", from) {
        from = place + 7;
        starts.push(from);
    }
    for &(offset, _) in objects.values() {
        if let Some(place) = find(&bytes[..bytes.len().min(offset + 40)], b"obj", offset) {
            let start = place + 3;
            let window = &bytes[start..bytes.len().min(start + 2000)];
            if find(window, b"/XRef", 0).is_some() {
                starts.push(start);
            }
        }
    }
    starts.sort_unstable();
    let mut values = BTreeMap::new();
    for start in starts {
        for key in KEPT {
            if let Some(value) = value_of(bytes, start, key.as_bytes()) {
                values.insert(key, value);
            }
        }
    }
    values
}

/// The value of a key in the dictionary that begins at a place, white space apart.
fn value_of<'a>(bytes: &'a [u8], start: usize, key: &[u8]) -> Option<&'a [u8]> {
    let mut at = start + spaces(&bytes[start..]);
    if !bytes[at..].starts_with(b"<<") {
        return None;
    }
    at += 2;
    loop {
        at += spaces(bytes.get(at..)?);
        if bytes.get(at)? != &b'/' {
            return None;
        }
        let end = end_of_name(bytes, at);
        let name = &bytes[at + 1..end];
        let value = end + spaces(bytes.get(end..)?);
        at = end_of_value(bytes, value)?;
        if name == key {
            return Some(bytes[value..at].trim_ascii_end());
        }
    }
}

fn spaces(bytes: &[u8]) -> usize {
    let is_space = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0;
    bytes.iter().take_while(is_space).count()
}

fn end_of_name(bytes: &[u8], start: usize) -> usize {
    let is_part = |byte: &&u8| !byte.is_ascii_whitespace() && !b"()<>[]{}/%\0".contains(byte);
    start + 1 + bytes[start + 1..].iter().take_while(is_part).count()
}

/// Where a value ends: a string, a name, an array or dictionary with all inside it, or numbers
/// up to the next key.
fn end_of_value(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut depth = 0usize;
    loop {
        let doubled = bytes.get(at + 1) == bytes.get(at);
        match bytes.get(at)? {
            b'(' => at = end_of_string(bytes, at)?,
            b'<' if doubled => {
                depth += 1;
                at += 2;
                continue;
            }
            b'<' => at = find(bytes, b">", at)? + 1,
            b'>' if depth == 0 => return Some(at),
            b'>' => {
                depth -= 1;
                at += if doubled { 2 } else { 1 };
            }
            b'[' => {
                depth += 1;
                at += 1;
                continue;
            }
            b']' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b'/' if depth == 0 && at > start => return Some(at),
            b'/' => at = end_of_name(bytes, at),
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn find(bytes: &[u8], wanted: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let place = rest
        .windows(wanted.len())
        .position(|window| window == wanted)?;
    Some(from + place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_they_end() {
        let text = b" <</A(x\\)>>(y))/B[1 2<<>>]/C 3 0 R/D<</E/F>>/G/H>>";
        let value = |key: &str| value_of(text, 0, key.as_bytes()).map(<[u8]>::to_vec);
        assert_eq!(value("A").unwrap(), b"(x\\)>>(y))");
        assert_eq!(value("B").unwrap(), b"[1 2<<>>]");
        assert_eq!(value("C").unwrap(), b"3 0 R");
        assert_eq!(value("D").unwrap(), b"<</E/F>>");
        assert_eq!(value("G").unwrap(), b"/H");
        assert_eq!(value("E"), None);
        assert_eq!(value_of(b"<</A(x", 0, b"A"), None);
    }

    #[test]
    fn the_last_object_of_a_number_counts() {
        let found = objects(b"1 0 obj x endobj\n12 3 obj endobj 1 0  obj y 120 obj 7 obj");
        assert_eq!(found[&12], (17, 3));
        assert_eq!(found[&1], (33, 0));
        assert_eq!(found.len(), 2);
    }
}
