//! Importing a user's table: own places, aliases and parents, a Wikidata extract, GeoNames or
//! Census tables of another year. All or nothing: the gazetteer in use stays as it was.

use std::collections::HashMap;

use super::overlay::OwnNode;
use super::{Edge, Gazetteer, GeoPoint, ImportSummary, Meaning, PlaceId};
use crate::blob::FULL;
use crate::error::PlacesError;
use crate::fold::fold;
use crate::kind::{EdgeKind, Kind, NameKind};
use crate::states::STATE_FIPS;

/// One place of a table, whatever the table's shape.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    id: String,
    name: String,
    kind: Option<Kind>,
    aliases: Vec<String>,
    parents: Vec<String>,
    point: Option<GeoPoint>,
    population: u64,
    geonames: Option<u32>,
}

impl Gazetteer {
    /// This gazetteer with a table added. Columns are told by their header: `name` with any of
    /// `id kind aliases parents lat lon population` (lists parted by `|` or `;`, an empty name
    /// with an id adds to a known place); `qid label aliases P131 P47 P17`; the Census
    /// gazetteer's `USPS GEOID NAME INTPTLAT INTPTLONG`; or the headerless nineteen columns of
    /// GeoNames. Cells are parted by tabs or commas.
    pub fn with_import(&self, table: &str) -> Result<(Gazetteer, ImportSummary), PlacesError> {
        let rows = read_rows(table)?;
        let mut added = self.clone();
        let mut summary = ImportSummary::default();
        let mut ids: HashMap<String, PlaceId> = HashMap::new();
        // Names first, so that rows may name parents further down.
        for row in &rows {
            let place = added.place_of_row(row, &rows, &mut summary)?;
            if !row.id.is_empty() && ids.insert(row.id.clone(), place).is_some() {
                return Err(wrong(row.line, format!("the id `{}` stands twice", row.id)));
            }
        }
        for row in &rows {
            let place = match ids.get(&row.id).filter(|_| !row.id.is_empty()) {
                Some(place) => *place,
                None => added.row_place(row).ok_or_else(|| {
                    wrong(row.line, format!("`{}` was not added", short(&row.name)))
                })?,
            };
            for name in &row.aliases {
                if added.add_name(place, name, NameKind::Alternate) {
                    summary.names += 1;
                }
            }
            for parent in &row.parents {
                let above = added.parent_of_row(row, parent, &ids)?;
                added.add_parent(row.line, place, above)?;
                summary.parents += 1;
            }
        }
        for row in &rows {
            if let Some(place) = added.row_place(row)
                && added.own(place).is_some()
                && added.parents(place).next().is_none()
            {
                return Err(wrong(
                    row.line,
                    format!(
                        "`{}` has no parent; give at least its country",
                        short(&row.name)
                    ),
                ));
            }
        }
        Ok((added, summary))
    }

    /// The id a row's own place has.
    fn row_place(&self, row: &Row) -> Option<PlaceId> {
        let code = row_code(row);
        self.overlay
            .codes
            .get(&code)
            .copied()
            .or_else(|| self.by_id(&row.id))
    }

    fn place_of_row(
        &mut self,
        row: &Row,
        _: &[Row],
        summary: &mut ImportSummary,
    ) -> Result<PlaceId, PlacesError> {
        if let Some(place) = self.by_id(&row.id) {
            if !row.name.is_empty() && self.add_name(place, &row.name, NameKind::Alternate) {
                summary.names += 1;
            }
            return Ok(place);
        }
        if let Some(place) = row.geonames.and_then(|id| self.by_geonames(id)) {
            self.overlay.codes.insert(row_code(row), place);
            return Ok(place);
        }
        if fold(&row.name).is_empty() {
            return Err(wrong(row.line, "the name is empty".into()));
        }
        // A Wikidata row for a place that is known, by name and parent.
        if row.id.starts_with('Q') && !row.parents.is_empty() {
            let known: Vec<PlaceId> = self
                .find(&row.name, None)
                .into_iter()
                .map(|hit| hit.place)
                .filter(|place| {
                    row.parents.iter().any(|parent| {
                        self.place_named(parent)
                            .is_ok_and(|above| self.lies_under(*place, above))
                    })
                })
                .collect();
            if let [place] = known[..] {
                self.overlay.codes.insert(row_code(row), place);
                return Ok(place);
            }
        }
        let code = row_code(row);
        if self.overlay.codes.contains_key(&code) {
            return Err(wrong(
                row.line,
                format!("`{}` stands twice; give each an id", short(&row.name)),
            ));
        }
        let place = PlaceId(self.nodes + self.overlay.nodes.len() as u32);
        self.overlay.nodes.push(OwnNode {
            name: row.name.trim().to_owned(),
            kind: row.kind.unwrap_or(Kind::Subregion),
            code: code.clone(),
            geonames: row.geonames,
            point: row.point,
            population: row.population,
            parents: Vec::new(),
            extent: Vec::new(),
        });
        self.overlay.codes.insert(code, place);
        self.add_name(place, &row.name, NameKind::Official);
        summary.places += 1;
        summary.names += 1;
        Ok(place)
    }

    fn parent_of_row(
        &self,
        row: &Row,
        parent: &str,
        ids: &HashMap<String, PlaceId>,
    ) -> Result<PlaceId, PlacesError> {
        if let Some(place) = ids.get(parent) {
            return Ok(*place);
        }
        if parent.starts_with('Q')
            && parent[1..].bytes().all(|b| b.is_ascii_digit())
            && parent.len() > 1
        {
            return Err(wrong(
                row.line,
                format!("the parent {parent} stands in no row of the table"),
            ));
        }
        self.place_named(parent).map_err(|error| {
            wrong(
                row.line,
                format!("the parent of `{}` is not clear: {error}", short(&row.name)),
            )
        })
    }

    fn add_name(&mut self, place: PlaceId, name: &str, kind: NameKind) -> bool {
        let folded = fold(name);
        if folded.is_empty() || folded.len() > 200 {
            return false;
        }
        self.overlay.longest_name = self.overlay.longest_name.max(folded.split(' ').count());
        let meanings = self.overlay.names.entry(folded).or_default();
        if meanings.iter().any(|meaning| meaning.place == place) {
            return false;
        }
        meanings.push(Meaning { place, name: kind });
        true
    }

    fn add_parent(
        &mut self,
        line: usize,
        place: PlaceId,
        above: PlaceId,
    ) -> Result<(), PlacesError> {
        if place == above || self.reaches(above, place) {
            return Err(wrong(
                line,
                format!(
                    "{} and {} would contain each other",
                    self.name(place),
                    self.name(above)
                ),
            ));
        }
        let admin = matches!(
            self.kind(place),
            Kind::City | Kind::County | Kind::State | Kind::Township | Kind::Country
        );
        let edge = Edge {
            parent: above,
            kind: if admin {
                EdgeKind::Admin
            } else {
                EdgeKind::Spans
            },
            coverage: FULL,
        };
        let nodes = self.nodes;
        match self
            .overlay
            .nodes
            .get_mut(place.0.wrapping_sub(nodes) as usize)
        {
            Some(own) if place.0 >= nodes => {
                own.parents.push(edge);
                if own.parents.len() > 1 {
                    own.parents
                        .iter_mut()
                        .for_each(|edge| edge.coverage = FULL / 2);
                }
                if !admin {
                    let share = FULL / 4;
                    own.extent.push((above, share));
                }
            }
            _ => {
                let known = self.parents(place).any(|known| known.parent == above);
                if !known {
                    self.overlay.parents.entry(place).or_default().push(Edge {
                        coverage: FULL / 2,
                        ..edge
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether a way up leads from one place to another.
    fn reaches(&self, from: PlaceId, to: PlaceId) -> bool {
        let mut above = vec![from];
        let mut next = 0;
        while next < above.len() {
            for edge in self.parents(above[next]) {
                if edge.parent == to {
                    return true;
                }
                if !above.contains(&edge.parent) {
                    above.push(edge.parent);
                }
            }
            next += 1;
        }
        false
    }
}

fn row_code(row: &Row) -> String {
    if row.id.is_empty() {
        format!("own:{}", fold(&row.name).replace(' ', "-"))
    } else if row.id.contains(':') {
        row.id.clone()
    } else {
        format!("own:{}", row.id)
    }
}

fn wrong(line: usize, why: String) -> PlacesError {
    PlacesError::Import { line, why }
}

fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

fn read_rows(table: &str) -> Result<Vec<Row>, PlacesError> {
    let table = table.strip_prefix('\u{feff}').unwrap_or(table);
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
    let country = cell(column("p17"));
    if parents.is_empty() && !country.is_empty() {
        parents.push(country.to_owned());
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
        geonames: cell(column("geonames")).parse().ok(),
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
    let parent = if cell(8) == "US" && !cell(11).is_empty() {
        STATE_FIPS
            .iter()
            .find(|(_, usps)| *usps == cell(10))
            .map(|(fips, _)| format!("fips:{fips:02}{}", cell(11)))
    } else if cell(8) == "US" && !cell(10).is_empty() {
        Some(format!("iso:US-{}", cell(10)))
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
        parents: vec![parent.unwrap_or(country)],
        point: point(line, cell(4), cell(5))?,
        population: cell(14).parse().unwrap_or(0),
        geonames: Some(id),
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
        parents: vec![format!("iso:US-{state}")],
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
