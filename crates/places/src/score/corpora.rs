//! The XML of GeoVirus and LGL, read without an XML library: the files are flat.

use crate::gazetteer::GeoPoint;

/// A place of the key.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldPlace {
    /// First character, counted from 0.
    pub start: usize,
    /// Character behind the last.
    pub end: usize,
    /// The words.
    pub words: String,
    /// The name of the place in the key.
    pub name: String,
    /// Coordinates, where the key has them.
    pub point: Option<GeoPoint>,
    /// GeoNames id.
    pub geonames: Option<u32>,
    /// GeoNames id of the first-level division.
    pub state: Option<u32>,
    /// GeoNames id of the country.
    pub country: Option<u32>,
}

/// A text with its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Article {
    /// The text as the offsets count it.
    pub text: String,
    /// The places of the key, in the order of the file.
    pub places: Vec<GoldPlace>,
    /// Site of publication, where the corpus names it.
    pub domain: Option<String>,
}

/// Reads either corpus; GeoVirus counts from 1, LGL from 0.
pub fn read_corpus(xml: &str) -> Vec<Article> {
    elements(xml, "article")
        .map(|body| {
            let text = element(body, "text").map(unescape).unwrap_or_default();
            let geovirus = body.contains("<locations>");
            let base = usize::from(geovirus);
            let tag = if geovirus { "location" } else { "toponym" };
            let characters: Vec<char> = text.chars().collect();
            let mut places = Vec::new();
            for place in elements(body, tag) {
                let number =
                    |name: &str| element(place, name).and_then(|t| t.trim().parse::<usize>().ok());
                let (Some(start), Some(end)) = (number("start"), number("end")) else {
                    continue;
                };
                let (start, end) = (start.saturating_sub(base), end.saturating_sub(base));
                if start >= end || end > characters.len() {
                    continue;
                }
                let degrees =
                    |name: &str| element(place, name).and_then(|t| t.trim().parse::<f64>().ok());
                let id = |open: &str| {
                    let at = place.find(open)? + open.len();
                    let rest = &place[at..];
                    rest[..rest.find('"')?].parse().ok()
                };
                places.push(GoldPlace {
                    start,
                    end,
                    words: characters[start..end].iter().collect(),
                    name: element(place, "name").map(unescape).unwrap_or_default(),
                    point: degrees("lat")
                        .zip(degrees("lon"))
                        .map(|(lat, lon)| GeoPoint { lat, lon }),
                    geonames: id("<gaztag geonameid=\""),
                    state: id("<admin1 geonameid=\""),
                    country: id("<country geonameid=\""),
                });
            }
            Article {
                text,
                places,
                domain: element(body, "domain").map(unescape),
            }
        })
        .collect()
}

/// The contents of every element of a name, in order.
fn elements<'a>(xml: &'a str, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    let open = format!("<{name}");
    let close = format!("</{name}>");
    let mut rest = xml;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(&open)?;
            let behind = &rest[at + open.len()..];
            // `<location` also begins `<locations>`.
            if !behind.starts_with([' ', '>']) {
                rest = behind;
                continue;
            }
            let begin = behind.find('>')? + 1;
            let end = behind.find(&close)?;
            rest = &behind[end + close.len()..];
            return behind.get(begin..end);
        }
    })
}

fn element<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    elements(xml, name).next()
}

fn unescape(text: &str) -> String {
    if let Some(inner) = text
        .trim()
        .strip_prefix("<![CDATA[")
        .and_then(|t| t.strip_suffix("]]>"))
    {
        return inner.to_owned();
    }
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_are_read_with_their_own_counting() {
        let geovirus = "<articles><article><text>Flood in Ely.</text><locations><location><name>Ely</name><start>10</start><end>13</end><lat>52.4</lat><lon>0.3</lon></location></locations></article></articles>";
        let lgl = "<article docid=\"1\"><text><![CDATA[Flood in Ely.]]></text><toponyms count=\"1\"><toponym><start>9</start><end>12</end><phrase>Ely</phrase><gaztag geonameid=\"7\"><name>Ely</name><lat>52.4</lat><lon>0.3</lon></gaztag></toponym></toponyms></article>";
        for xml in [geovirus, lgl] {
            let articles = read_corpus(xml);
            assert_eq!(articles[0].places[0].words, "Ely");
            assert_eq!(articles[0].places[0].start, 9);
        }
        assert_eq!(read_corpus(lgl)[0].places[0].geonames, Some(7));
    }
}
