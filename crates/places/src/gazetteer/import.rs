//! Importing a user's table: own places, aliases and parents, a Wikidata extract, GeoNames or
//! Census tables of another year. All or nothing: the gazetteer in use stays as it was.

mod rows;

use std::collections::HashMap;

use super::overlay::OwnNode;
use super::{Edge, Gazetteer, GeoPoint, ImportSummary, Meaning, PlaceId};
use crate::blob::{FLAG_GEONAMES, FULL, read_u32};
use crate::error::PlacesError;
use crate::fold::fold;
use crate::kind::{EdgeKind, Kind, NameKind};
use crate::lookup::LEAD;

/// One place of a table, whatever the table's shape.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    id: String,
    name: String,
    kind: Option<Kind>,
    aliases: Vec<String>,
    /// Every one is a parent.
    parents: Vec<String>,
    /// The first of these that is known is the parent.
    within: Vec<String>,
    neighbours: Vec<String>,
    point: Option<GeoPoint>,
    population: u64,
    geonames: Option<u32>,
    /// From a list of places that Lahar's own tables were made of in another year.
    listed: bool,
}

impl Row {
    fn is_wikidata(&self) -> bool {
        is_wikidata(&self.id)
    }

    /// The code that a place of the table's own gets.
    fn code(&self) -> String {
        if self.id.is_empty() {
            format!("own:{}", fold(&self.name).replace(' ', "-"))
        } else if self.id.contains(':') {
            self.id.clone()
        } else if self.is_wikidata() {
            format!("wd:{}", self.id)
        } else {
            format!("own:{}", self.id)
        }
    }
}

/// `Q` and digits.
fn is_wikidata(id: &str) -> bool {
    id.strip_prefix('Q')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Two places of one name this far apart are two.
const SAME_PLACE_KM: f64 = 40.0;

impl Gazetteer {
    /// This gazetteer with a table added. Columns are told by their header: `name` with any of
    /// `id kind aliases parents lat lon population geonames` (lists parted by `|` or `;`, an empty
    /// name with an id adds to a known place); `qid label aliases P131 P47 P17`; the Census
    /// gazetteer's `USPS GEOID NAME INTPTLAT INTPTLONG`; or the headerless nineteen columns of
    /// GeoNames. Cells are parted by tabs or commas; JSON objects, one a line, with these names
    /// are read too.
    ///
    /// # Errors
    /// [`PlacesError::Import`] with the line: names or ids that stand twice, control characters,
    /// coordinates that are no place on Earth, a parent that no row or table knows, places that
    /// would contain each other, a place without any parent.
    ///
    /// ```
    /// use lahar_places::{Gazetteer, Relation};
    /// let table = "name,parents\nFalls Creek Ranch,\"La Plata County, Colorado\"\n";
    /// let (own, summary) = Gazetteer::embedded().with_import(table).unwrap();
    /// assert_eq!(summary.places, 1);
    /// let ranch = own.place_named("Falls Creek Ranch").unwrap();
    /// let state = own.place_named("Colorado").unwrap();
    /// assert_eq!(own.compare(ranch, state).relation, Relation::Broader);
    /// ```
    pub fn with_import(&self, table: &str) -> Result<(Gazetteer, ImportSummary), PlacesError> {
        let rows = rows::read(table)?;
        let mut import = Import::into(self, &rows);
        import.places(&rows)?;
        for row in &rows {
            import.names_and_parents(row)?;
        }
        for row in &rows {
            let place = import.place(row)?;
            if import.added.own(place).is_some() && import.added.parents(place).next().is_none() {
                let why = format!(
                    "`{}` has no parent; give at least its country",
                    short(&row.name)
                );
                return Err(wrong(row.line, why));
            }
        }
        Ok((import.added, import.summary))
    }
}

/// A table on its way into a gazetteer.
struct Import {
    added: Gazetteer,
    summary: ImportSummary,
    /// Places of the rows, by line.
    lines: HashMap<usize, PlaceId>,
    /// Places of the rows that have an id.
    ids: HashMap<String, PlaceId>,
    /// Parents that were looked up.
    looked_up: HashMap<String, Result<PlaceId, PlacesError>>,
    /// Places by GeoNames id, and by the census id, where rows have such ids.
    geonames: HashMap<u32, PlaceId>,
    census: HashMap<u32, PlaceId>,
}

impl Import {
    fn into(gazetteer: &Gazetteer, rows: &[Row]) -> Import {
        let mut import = Import {
            added: gazetteer.clone(),
            summary: ImportSummary::default(),
            lines: HashMap::new(),
            ids: HashMap::new(),
            looked_up: HashMap::new(),
            geonames: HashMap::new(),
            census: HashMap::new(),
        };
        let numbered = |row: &Row| {
            row.geonames.is_some() || row.id.starts_with("gn:") || row.id.starts_with("geoid:")
        };
        if rows.iter().any(numbered) {
            for place in gazetteer.places() {
                if let Some(id) = gazetteer.geonames(place) {
                    import.geonames.insert(id, place);
                } else if gazetteer.own(place).is_none()
                    && matches!(gazetteer.kind(place), Kind::City | Kind::Township)
                    && !gazetteer.flag(place, FLAG_GEONAMES)
                {
                    import
                        .census
                        .insert(read_u32(gazetteer.node(place), 3), place);
                }
            }
        }
        import
    }

    /// The place with an id that is no id of the table.
    fn by_id(&self, id: &str) -> Option<PlaceId> {
        if let Some(place) = self.added.overlay.codes.get(id) {
            return Some(*place);
        }
        match id.split_once(':')? {
            ("own" | "wd", _) => None,
            ("gn", number) if !self.geonames.is_empty() => {
                self.geonames.get(&number.parse().ok()?).copied()
            }
            ("geoid", number) if !self.census.is_empty() => {
                self.census.get(&number.parse().ok()?).copied()
            }
            _ => self.added.by_id(id),
        }
    }

    /// Finds or makes the place of every row. Rows of Wikidata wait for their parents, by which
    /// they are told from their namesakes.
    fn places(&mut self, rows: &[Row]) -> Result<(), PlacesError> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for row in rows.iter().filter(|row| !row.id.is_empty()) {
            if let Some(line) = seen.insert(&row.id, row.line) {
                let why = format!("the id `{}` stands in line {line} too", short(&row.id));
                return Err(wrong(row.line, why));
            }
        }
        let mut waiting: Vec<&Row> = rows.iter().collect();
        loop {
            let before = waiting.len();
            let mut later = Vec::new();
            for row in waiting {
                let waits = row.is_wikidata()
                    && row.parents.iter().any(|parent| {
                        seen.contains_key(parent.as_str()) && !self.ids.contains_key(parent)
                    });
                if waits {
                    later.push(row);
                } else {
                    self.add(row)?;
                }
            }
            waiting = later;
            if waiting.len() == before || waiting.is_empty() {
                break;
            }
        }
        // Rows that are each other's parents: they are refused when the parents are added.
        for row in waiting {
            self.add(row)?;
        }
        Ok(())
    }

    fn add(&mut self, row: &Row) -> Result<(), PlacesError> {
        let place = self.find_or_make(row)?;
        self.lines.insert(row.line, place);
        if !row.id.is_empty() {
            self.ids.insert(row.id.clone(), place);
        }
        Ok(())
    }

    fn place(&self, row: &Row) -> Result<PlaceId, PlacesError> {
        self.lines
            .get(&row.line)
            .copied()
            .ok_or_else(|| wrong(row.line, format!("`{}` was not added", short(&row.name))))
    }

    fn find_or_make(&mut self, row: &Row) -> Result<PlaceId, PlacesError> {
        let code = row.code();
        if let Some(place) = self.by_id(&row.id) {
            if !row.name.is_empty() && self.add_name(place, &row.name, NameKind::Alternate) {
                self.summary.names += 1;
            }
            return Ok(place);
        }
        if fold(&row.name).is_empty() {
            return Err(wrong(row.line, "the name is empty".into()));
        }
        if self.added.overlay.codes.contains_key(&code) {
            let why = match row.id.is_empty() {
                true => format!("`{}` stands twice; give each an id", short(&row.name)),
                false => format!(
                    "the id `{}` is taken by a place of another table; give another one",
                    short(&row.id)
                ),
            };
            return Err(wrong(row.line, why));
        }
        let known = match row.geonames {
            Some(id) if self.geonames.contains_key(&id) => self.geonames.get(&id).copied(),
            _ if row.is_wikidata() || row.listed => self.known(row)?,
            _ => None,
        };
        if let Some(place) = known {
            self.added.overlay.codes.insert(code, place);
            self.summary.known += 1;
            if self.add_name(place, &row.name, NameKind::Alternate) {
                self.summary.names += 1;
            }
            return Ok(place);
        }
        let place = PlaceId(self.added.nodes + self.added.overlay.nodes.len() as u32);
        self.added.overlay.nodes.push(OwnNode {
            name: row.name.trim().to_owned(),
            kind: row.kind.unwrap_or(Kind::Subregion),
            code: code.clone(),
            geonames: row.geonames,
            point: row.point,
            population: row.population,
            parents: Vec::new(),
            extent: Vec::new(),
        });
        if let Some(id) = row.geonames {
            self.geonames.insert(id, place);
        }
        self.added.overlay.codes.insert(code, place);
        self.add_name(place, &row.name, NameKind::Official);
        self.summary.places += 1;
        self.summary.names += 1;
        Ok(place)
    }

    /// The place that the tables know under this name and parent, where there is one.
    fn known(&mut self, row: &Row) -> Result<Option<PlaceId>, PlacesError> {
        let mut above = Vec::new();
        for parent in &row.parents {
            // A parent that cannot be told is an error when the parents are added.
            if let Ok(place) = self.parent(row, parent) {
                above.push(place);
            }
        }
        above.extend(self.first_known(row));
        let added = &self.added;
        let mut hits = added.find(&row.name, None);
        hits.retain(|hit| {
            let kind = added.kind(hit.place);
            let fits = match row.kind {
                Some(Kind::City | Kind::Township) => matches!(kind, Kind::City | Kind::Township),
                Some(wanted) => kind == wanted,
                None => !matches!(kind, Kind::Event | Kind::Point),
            };
            let under = match above.is_empty() {
                true => matches!(kind, Kind::Country | Kind::Continent),
                false => above.iter().any(|parent| {
                    *parent != hit.place
                        && (added.lies_under(hit.place, *parent)
                            || added.contains(*parent, hit.place))
                }),
            };
            let near = match (row.point, added.point(hit.place)) {
                (Some(one), Some(other)) if kind.level() >= 5 => {
                    added.point_is_rough(hit.place) || one.distance_km(other) < SAME_PLACE_KM
                }
                _ => true,
            };
            fits && under && near && hit.name != NameKind::Demonym
        });
        if hits.iter().any(|hit| hit.name == NameKind::Official) {
            hits.retain(|hit| hit.name == NameKind::Official);
        }
        Ok(match hits[..] {
            [one] => Some(one.place),
            [first, second, ..] if first.weight - second.weight > LEAD => Some(first.place),
            _ => None,
        })
    }

    fn names_and_parents(&mut self, row: &Row) -> Result<(), PlacesError> {
        let place = self.place(row)?;
        for name in &row.aliases {
            if self.add_name(place, name, NameKind::Alternate) {
                self.summary.names += 1;
            }
        }
        for parent in &row.parents {
            let above = self.parent(row, parent)?;
            // What the tables know of a known place's parents stays as it is.
            if self.add_parent(row.line, place, above)? {
                self.summary.parents += 1;
            }
        }
        if !row.within.is_empty() && self.added.own(place).is_some() {
            let above = self.first_known(row).ok_or_else(|| {
                wrong(
                    row.line,
                    format!("no table knows {}", short(&row.within.join(" or "))),
                )
            })?;
            if self.add_parent(row.line, place, above)? {
                self.summary.parents += 1;
            }
        }
        for neighbour in &row.neighbours {
            // Neighbours outside of an extract are left out.
            let other = self.ids.get(neighbour).copied().or_else(|| {
                (!is_wikidata(neighbour))
                    .then(|| self.added.place_named(neighbour).ok())
                    .flatten()
            });
            if let Some(other) = other.filter(|other| *other != place) {
                self.added.overlay.adjacent.insert((place, other));
                self.added.overlay.adjacent.insert((other, place));
                self.summary.neighbours += 1;
            }
        }
        Ok(())
    }

    fn first_known(&self, row: &Row) -> Option<PlaceId> {
        row.within.iter().find_map(|code| self.by_id(code))
    }

    fn parent(&mut self, row: &Row, parent: &str) -> Result<PlaceId, PlacesError> {
        if let Some(place) = self.ids.get(parent) {
            return Ok(*place);
        }
        if is_wikidata(parent) {
            return match self.by_id(&format!("wd:{parent}")) {
                Some(place) => Ok(place),
                None => Err(wrong(
                    row.line,
                    format!("the parent {parent} stands in no row of the table; add its row"),
                )),
            };
        }
        let added = &self.added;
        let found = self.looked_up.entry(parent.to_owned()).or_insert_with(|| {
            match added.overlay.codes.get(&format!("own:{parent}")) {
                Some(place) => Ok(*place),
                None => added.place_named(parent),
            }
        });
        found.clone().map_err(|error| {
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
        let known = self.added.meanings_of_folded(&folded);
        if known.iter().any(|meaning| meaning.place == place) {
            return false;
        }
        let overlay = &mut self.added.overlay;
        overlay.longest_name = overlay.longest_name.max(folded.split(' ').count());
        let meanings = overlay.names.entry(folded).or_default();
        meanings.push(Meaning { place, name: kind });
        true
    }

    /// Hangs a place below another; false where it hangs there already.
    fn add_parent(
        &mut self,
        line: usize,
        place: PlaceId,
        above: PlaceId,
    ) -> Result<bool, PlacesError> {
        let added = &mut self.added;
        if added.lies_under(place, above) && added.own(place).is_none() {
            return Ok(false);
        }
        if place == above || added.reaches(above, place) {
            let why = format!(
                "{} and {} would contain each other",
                added.name(place),
                added.name(above)
            );
            return Err(wrong(line, why));
        }
        if added.parents(place).any(|known| known.parent == above) {
            return Ok(false);
        }
        let admin = matches!(
            added.kind(place),
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
        let nodes = added.nodes;
        let own = place.0.checked_sub(nodes).map(|at| at as usize);
        match own.and_then(|at| added.overlay.nodes.get_mut(at)) {
            Some(own) => {
                own.parents.push(edge);
                if own.parents.len() > 1 {
                    own.parents
                        .iter_mut()
                        .for_each(|edge| edge.coverage = FULL / 2);
                }
                if !admin {
                    own.extent.push((above, FULL / 4));
                }
            }
            None => added.overlay.parents.entry(place).or_default().push(Edge {
                coverage: FULL / 2,
                ..edge
            }),
        }
        Ok(true)
    }
}

impl Gazetteer {
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

fn wrong(line: usize, why: String) -> PlacesError {
    PlacesError::Import { line, why }
}

fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}
