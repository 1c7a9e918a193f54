//! Rows of tables: a person's own, GeoNames, the Census, Wikidata extracts.

use serde_json::Value;

use super::{Row, short, wrong};
use crate::error::PlacesError;
use crate::gazetteer::GeoPoint;
use crate::kind::Kind;
use crate::states::STATE_FIPS;

/// Largest table that is read, in bytes.
const LARGEST: usize = 64 << 20;

/// The rows of a table in any of the shapes that [`Gazetteer::with_import`] names.
///
/// [`Gazetteer::with_import`]: crate::Gazetteer::with_import
pub(super) fn read(table: &str) -> Result<Vec<Row>, PlacesError> {
    if table.len() > LARGEST {
        let why = format!(
            "the table has {} MB, at most {} are read; divide it",
            table.len() >> 20,
            LARGEST >> 20
        );
        return Err(wrong(1, why));
    }
    let table = table.strip_prefix('\u{feff}').unwrap_or(table);
    for (number, line) in table.lines().enumerate() {
        if let Some(c) = line.chars().find(|c| steers(*c)) {
            let why = format!(
                "it holds the control character U+{:04X}; take it out",
                u32::from(c)
            );
            return Err(wrong(number + 1, why));
        }
    }
    match table.trim_start().starts_with('{') {
        true => json_rows(table),
        false => cell_rows(table),
    }
}

/// Characters that are no part of a name: controls other than the tab, and marks that turn the
/// direction of writing.
fn steers(c: char) -> bool {
    c.is_control() && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One JSON object a line, with the columns of a person's own table or a Wikidata extract; lists
/// are arrays or one text.
fn json_rows(table: &str) -> Result<Vec<Row>, PlacesError> {
    let mut rows = Vec::new();
    for (number, text) in table.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let line = number + 1;
        let object: serde_json::Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| wrong(line, format!("it is no JSON object: {error}")))?;
        let mut cells: Vec<(String, String)> = Vec::with_capacity(object.len());
        for (key, value) in object {
            let cell = match value {
                Value::Null => continue,
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Array(items) => items
                    .into_iter()
                    .map(|item| match item {
                        Value::String(text) if !text.contains(['|', ';']) => Ok(text),
                        Value::Number(number) => Ok(number.to_string()),
                        _ => Err(wrong(
                            line,
                            format!("`{}` is a list of something else than names", short(&key)),
                        )),
                    })
                    .collect::<Result<Vec<String>, _>>()?
                    .join("|"),
                _ => {
                    let why = format!("`{}` is neither a text nor a list", short(&key));
                    return Err(wrong(line, why));
                }
            };
            if cell.chars().any(|c| c.is_control() || steers(c)) {
                let why = format!("`{}` holds a control character; take it out", short(&key));
                return Err(wrong(line, why));
            }
            cells.push((key.to_lowercase(), cell));
        }
        let column = |name: &str| cells.iter().position(|(key, _)| key == name);
        let cell = |at: Option<usize>| at.map_or("", |at| cells[at].1.trim());
        rows.push(own_row(line, &cell, &column)?);
    }
    Ok(rows)
}

fn cell_rows(table: &str) -> Result<Vec<Row>, PlacesError> {
    let first = table.lines().next().unwrap_or("");
    let separator = if first.contains('\t') {
        '\t'
    } else if first.contains('|') && !first.contains(',') {
        '|'
    } else {
        ','
    };
    let header: Vec<String> = cells(first, separator)
        .iter()
        .map(|cell| cell.trim().to_lowercase())
        .collect();
    let column = |name: &str| header.iter().position(|cell| cell == name);
    let geonames = header.len() == 19 && header[0].parse::<u32>().is_ok();
    let name_column = column("name").or(column("label"));
    if !geonames && name_column.is_none() {
        return Err(wrong(
            1,
            "no column is called `name` or `label`, and it is no GeoNames table".into(),
        ));
    }
    let mut rows = Vec::new();
    for (number, text) in table.lines().enumerate().skip(usize::from(!geonames)) {
        if text.trim().is_empty() {
            continue;
        }
        let line = number + 1;
        let cells = cells(text, separator);
        if separator == ',' && text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
            let why = "a quotation mark is opened and not closed on the line";
            return Err(wrong(line, why.into()));
        }
        let cell = |at: Option<usize>| {
            at.and_then(|at| cells.get(at))
                .map_or("", |cell| cell.trim())
        };
        if cells.len() > header.len() {
            return Err(wrong(
                line,
                format!(
                    "{} cells where the header has {}",
                    cells.len(),
                    header.len()
                ),
            ));
        }
        rows.push(if geonames {
            // Oceans and the like lie in no country.
            if cells.get(8).is_none_or(|country| country.trim().is_empty()) {
                continue;
            }
            geonames_row(line, &cells)?
        } else if column("geoid").is_some() {
            census_row(line, &cell, &column)?
        } else {
            own_row(line, &cell, &column)?
        });
    }
    Ok(rows)
}

fn own_row<'c>(
    line: usize,
    cell: &dyn Fn(Option<usize>) -> &'c str,
    column: &dyn Fn(&str) -> Option<usize>,
) -> Result<Row, PlacesError> {
    let list = |names: &[&str]| -> Vec<String> {
        names
            .iter()
            .flat_map(|name| cell(column(name)).split(['|', ';']))
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect()
    };
    let kind = cell(column("kind"));
    let mut parents = list(&["parents", "parent", "p131"]);
    if parents.is_empty() {
        parents = list(&["p17", "country"]);
    }
    let population = cell(column("population"));
    Ok(Row {
        line,
        id: [cell(column("id")), cell(column("qid"))]
            .into_iter()
            .find(|id| !id.is_empty())
            .unwrap_or("")
            .to_owned(),
        name: [cell(column("name")), cell(column("label"))]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or("")
            .to_owned(),
        kind: if kind.is_empty() {
            None
        } else {
            Some(
                Kind::parse(&kind.to_lowercase())
                    .ok_or_else(|| wrong(line, format!("`{}` is no kind of place", short(kind))))?,
            )
        },
        aliases: list(&["aliases", "alias"]),
        parents,
        neighbours: list(&["p47", "neighbours"]),
        point: point(line, cell(column("lat")), cell(column("lon")))?,
        population: if population.is_empty() {
            0
        } else {
            population.parse().map_err(|_| {
                wrong(
                    line,
                    format!("`{}` is no number of inhabitants", short(population)),
                )
            })?
        },
        geonames: match [cell(column("geonames")), cell(column("p1566"))]
            .into_iter()
            .find(|id| !id.is_empty())
        {
            None => None,
            Some(id) => Some(
                id.parse()
                    .map_err(|_| wrong(line, format!("`{}` is no GeoNames id", short(id))))?,
            ),
        },
        ..Row::default()
    })
}

fn point(line: usize, lat: &str, lon: &str) -> Result<Option<GeoPoint>, PlacesError> {
    if lat.is_empty() && lon.is_empty() {
        return Ok(None);
    }
    let number = |text: &str| {
        text.parse::<f64>()
            .map_err(|_| wrong(line, format!("`{}` is no coordinate", short(text))))
    };
    GeoPoint::checked(number(lat)?, number(lon)?)
        .map(Some)
        .map_err(|error| wrong(line, error.to_string()))
}

fn geonames_row(line: usize, cells: &[String]) -> Result<Row, PlacesError> {
    let cell = |at: usize| cells.get(at).map_or("", String::as_str);
    let id: u32 = cell(0)
        .parse()
        .map_err(|_| wrong(line, format!("`{}` is no GeoNames id", short(cell(0)))))?;
    let country = format!("iso:{}", cell(8));
    let state = (cell(8) == "US" && !cell(10).is_empty()).then(|| format!("iso:US-{}", cell(10)));
    let county = if cell(8) == "US" && !cell(11).is_empty() {
        STATE_FIPS
            .iter()
            .find(|(_, usps)| *usps == cell(10))
            .map(|(fips, _)| format!("fips:{fips:02}{}", cell(11)))
    } else {
        None
    };
    Ok(Row {
        line,
        id: format!("gn:{id}"),
        name: cell(1).to_owned(),
        kind: Some(match (cell(6), cell(7)) {
            ("P", _) => Kind::City,
            ("A", "ADM1") => Kind::State,
            ("A", "ADM2") => Kind::County,
            ("H", code) if code.starts_with("STM") => Kind::River,
            ("H", _) => Kind::Water,
            ("T", "ISL") => Kind::Island,
            ("T", _) => Kind::Physical,
            ("L", "PRK") => Kind::Park,
            _ => Kind::Subregion,
        }),
        aliases: cell(3)
            .split(',')
            .map(|alias| alias.trim().to_owned())
            .filter(|alias| alias.len() > 2)
            .collect(),
        // The first of these that is known; codes of other years may not be.
        within: county.into_iter().chain(state).chain([country]).collect(),
        point: point(line, cell(4), cell(5))?,
        population: cell(14).parse().unwrap_or(0),
        geonames: Some(id),
        listed: true,
        ..Row::default()
    })
}

fn census_row<'c>(
    line: usize,
    cell: &dyn Fn(Option<usize>) -> &'c str,
    column: &dyn Fn(&str) -> Option<usize>,
) -> Result<Row, PlacesError> {
    let geoid = cell(column("geoid"));
    let name = cell(column("name"));
    let state = cell(column("usps"));
    let (id, kind) = match geoid.len() {
        5 => (format!("fips:{geoid}"), Kind::County),
        7 => (format!("geoid:{geoid}"), Kind::City),
        _ => {
            return Err(wrong(
                line,
                format!(
                    "`{}` is neither a county's nor a place's GEOID",
                    short(geoid)
                ),
            ));
        }
    };
    let name = [" CDP", " city", " town", " village", " borough"]
        .iter()
        .find_map(|word| name.strip_suffix(word))
        .unwrap_or(name);
    Ok(Row {
        line,
        id,
        name: name.to_owned(),
        kind: Some(kind),
        within: vec![format!("iso:US-{state}")],
        listed: true,
        point: point(line, cell(column("intptlat")), cell(column("intptlong")))?,
        ..Row::default()
    })
}

/// Cells of a line; quoted cells may hold the separator and doubled quotes.
fn cells(line: &str, separator: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let cell = cells.last_mut();
        match (c, cell) {
            ('"', Some(cell)) if quoted && characters.peek() == Some(&'"') => {
                cell.push('"');
                characters.next();
            }
            ('"', Some(cell)) if quoted || cell.is_empty() => quoted = !quoted,
            (c, _) if c == separator && !quoted => cells.push(String::new()),
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
    }
    cells
}
