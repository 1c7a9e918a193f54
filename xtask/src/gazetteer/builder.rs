//! Nodes, edges, extents and names while they are collected.

use std::collections::{BTreeMap, HashMap};

use lahar_places::blob::{FLAG_GEONAMES, FLAG_NO_POINT, FLAG_ROUGH_POINT};
use lahar_places::fold;
use lahar_places::kind::{EdgeKind, Kind, NameKind};

/// A node under construction.
#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    pub kind: Kind,
    pub flags: u8,
    pub key: u32,
    pub point: Option<(f64, f64)>,
    pub population: u64,
    pub country: usize,
    /// Parent, kind, coverage of the child in the parent (0..=200).
    pub parents: Vec<(usize, EdgeKind, u8)>,
    /// Units and how much of each is covered (0..=200).
    pub extent: Vec<(usize, u8)>,
    pub code: Option<String>,
    pub note: Option<String>,
    pub event: Option<String>,
}

/// Everything collected so far.
#[derive(Debug, Default)]
pub struct Builder {
    pub nodes: Vec<Node>,
    pub names: BTreeMap<String, Vec<(usize, NameKind)>>,
    pub same_extent: Vec<(usize, usize)>,
    pub adjacent: Vec<(usize, usize)>,
    pub by_code: HashMap<String, usize>,
    pub by_iso: HashMap<String, usize>,
    /// `US.OR`, `US.OR.051`
    pub by_division: HashMap<String, usize>,
    pub by_fips: BTreeMap<u32, usize>,
    pub by_geonames: HashMap<u32, usize>,
}

impl Builder {
    /// Adds a node and its official name.
    pub fn node(&mut self, name: &str, kind: Kind) -> usize {
        let index = self.unnamed(name, kind);
        self.name(index, name, NameKind::Official);
        index
    }

    /// Adds a node that is not found by its name alone (watersheds, zones).
    pub fn unnamed(&mut self, name: &str, kind: Kind) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node {
            name: name.to_owned(),
            kind,
            flags: 0,
            key: 0,
            point: None,
            population: 0,
            country: 0,
            parents: Vec::new(),
            extent: Vec::new(),
            code: None,
            note: None,
            event: None,
        });
        index
    }

    /// Adds a name; a name that the node has already keeps its first kind.
    pub fn name(&mut self, node: usize, name: &str, kind: NameKind) {
        let folded = fold(name);
        if folded.is_empty() || folded.len() > 80 || !usable(&folded) {
            return;
        }
        let entry = self.names.entry(folded).or_default();
        match entry.iter_mut().find(|(known, _)| *known == node) {
            // A code that is also written in running text (NSW) counts as that.
            Some((_, known)) if *known == NameKind::Code => *known = kind,
            Some(_) => {}
            None => entry.push((node, kind)),
        }
    }

    /// Adds several names parted by semicolons.
    pub fn names(&mut self, node: usize, names: &str, kind: NameKind) {
        for name in names.split(';').map(str::trim) {
            let kind = if kind == NameKind::Alternate && name.contains('.') && name.len() <= 8 {
                NameKind::Abbreviation
            } else {
                kind
            };
            // "Name (Region)" is another way to look it up, "Name" alone is what texts write.
            if let Some((bare, _)) = name.split_once(" (") {
                self.name(node, bare, kind);
            }
            self.name(node, name, kind);
        }
    }

    /// Sets the GeoNames id.
    pub fn geonames(&mut self, node: usize, id: u32) {
        if id > 0 {
            self.nodes[node].key = id;
            self.nodes[node].flags |= FLAG_GEONAMES;
            self.by_geonames.insert(id, node);
        }
    }

    /// Sets a code such as `fips:41051`.
    pub fn code(&mut self, node: usize, code: String) -> Result<(), String> {
        if self.by_code.insert(code.clone(), node).is_some() {
            return Err(format!("{code} is used twice"));
        }
        self.nodes[node].code = Some(code);
        Ok(())
    }

    /// A code made of words, with a number behind it where it is taken.
    pub fn slug(&mut self, node: usize, prefix: &str, name: &str) -> Result<(), String> {
        let slug = format!("{prefix}:{}", fold(name).replace(' ', "-"));
        let mut code = slug.clone();
        let mut number = 2;
        while self.by_code.contains_key(&code) {
            code = format!("{slug}-{number}");
            number += 1;
        }
        self.code(node, code)
    }

    /// Adds an edge once.
    pub fn edge(&mut self, child: usize, parent: usize, kind: EdgeKind, coverage: u8) {
        if child != parent
            && !self.nodes[child]
                .parents
                .iter()
                .any(|(known, _, _)| *known == parent)
        {
            self.nodes[child].parents.push((parent, kind, coverage));
        }
    }

    /// A county by its code.
    pub fn county(&self, fips: &str) -> Result<usize, String> {
        fips.parse()
            .ok()
            .and_then(|number: u32| self.by_fips.get(&number))
            .copied()
            .ok_or_else(|| format!("no county has the code {fips}"))
    }

    /// A U.S. state by its postal code.
    pub fn state(&self, usps: &str) -> Result<usize, String> {
        self.by_division
            .get(&format!("US.{usps}"))
            .or_else(|| self.by_iso.get(usps))
            .copied()
            .ok_or_else(|| format!("no state has the code {usps}"))
    }

    /// The smallest backbone unit that contains all of these counties or states.
    pub fn smallest_container(&self, units: &[usize]) -> Option<usize> {
        let mut common: Option<Vec<usize>> = None;
        for unit in units {
            let mut above = vec![*unit];
            let mut next = 0;
            while next < above.len() {
                for (parent, kind, _) in &self.nodes[above[next]].parents {
                    if matches!(kind, EdgeKind::Admin | EdgeKind::CensusRegion)
                        && !above.contains(parent)
                    {
                        above.push(*parent);
                    }
                }
                next += 1;
            }
            common = Some(match common {
                None => above,
                Some(known) => known.into_iter().filter(|a| above.contains(a)).collect(),
            });
        }
        common?
            .into_iter()
            .max_by_key(|node| self.nodes[*node].kind.level())
    }

    /// Divisions have at least the inhabitants of the cities in them.
    fn add_up_population(&mut self) {
        let mut sums: HashMap<usize, u64> = HashMap::new();
        for node in self.nodes.iter().filter(|node| node.kind == Kind::City) {
            let mut at = node.parents.first().map(|parent| parent.0);
            while let Some(unit) = at.filter(|unit| self.nodes[*unit].kind.level() >= 3) {
                *sums.entry(unit).or_default() += node.population;
                at = self.nodes[unit].parents.first().map(|parent| parent.0);
            }
        }
        for (unit, sum) in sums {
            if matches!(self.nodes[unit].kind, Kind::State | Kind::County) {
                self.nodes[unit].population = sum;
            }
        }
    }

    /// Gives every division without coordinates the middle of what lies in it, and every other
    /// node those of its parent, marked rough.
    pub fn settle_points(&mut self) {
        self.add_up_population();
        for wanted in [Kind::County, Kind::State, Kind::Country] {
            let mut sums: HashMap<usize, (f64, f64, f64)> = HashMap::new();
            for node in &self.nodes {
                if let (Some((lat, lon)), Some((parent, _, _))) = (
                    node.point
                        .filter(|_| matches!(node.kind, Kind::City | Kind::County | Kind::State)),
                    node.parents.first(),
                ) {
                    let mut target = *parent;
                    while self.nodes[target].kind.level() > wanted.level() {
                        match self.nodes[target].parents.first() {
                            Some((above, _, _)) => target = *above,
                            None => break,
                        }
                    }
                    let sum = sums.entry(target).or_default();
                    *sum = (sum.0 + lat, sum.1 + lon, sum.2 + 1.0);
                }
            }
            for (node, (lat, lon, count)) in sums {
                if self.nodes[node].kind == wanted && self.nodes[node].point.is_none() {
                    self.nodes[node].point = Some((lat / count, lon / count));
                }
            }
        }
        for index in 0..self.nodes.len() {
            if self.nodes[index].point.is_none() {
                let units: Vec<usize> = if self.nodes[index].extent.is_empty() {
                    self.nodes[index].parents.iter().map(|p| p.0).collect()
                } else {
                    self.nodes[index].extent.iter().map(|e| e.0).collect()
                };
                let points: Vec<(f64, f64)> = units
                    .iter()
                    .filter_map(|unit| self.nodes[*unit].point)
                    .collect();
                if points.is_empty() {
                    self.nodes[index].flags |= FLAG_NO_POINT;
                } else {
                    let count = points.len() as f64;
                    let lat = points.iter().map(|p| p.0).sum::<f64>() / count;
                    let lon = points.iter().map(|p| p.1).sum::<f64>() / count;
                    self.nodes[index].point = Some((lat, lon));
                    self.nodes[index].flags |= FLAG_ROUGH_POINT;
                }
            }
        }
    }
}

/// Whether a folded name can be met in the texts we read: Latin letters or digits, not a lone
/// letter, not digits alone.
fn usable(folded: &str) -> bool {
    folded.chars().count() >= 2
        && folded.chars().any(char::is_alphabetic)
        && folded
            .chars()
            .all(|c| c.is_ascii() || ('\u{80}'..'\u{250}').contains(&c))
}

/// A fraction as it is stored.
pub fn coverage(fraction: f64) -> u8 {
    (fraction.clamp(0.0, 1.0) * 200.0).round() as u8
}
