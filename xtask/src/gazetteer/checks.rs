//! Checks before anything is written: the traps of the sources, and the shape of the graph.

use lahar_places::kind::{EdgeKind, Kind};
use lahar_places::{Gazetteer, Relation, fold};

use super::builder::Builder;

/// Every check; the first one that fails stops the build.
pub fn check(builder: &Builder) -> Result<(), String> {
    acyclic(builder)?;
    reaches_a_country(builder)?;
    census_parents(builder)?;
    states_have_no_direct_edge(builder)
}

/// Checks of the file as the program will read it: Table 3, the distances that follow from the
/// definition, and the traps of the specification.
pub fn check_file(bytes: Vec<u8>) -> Result<(), String> {
    const LARGEST: usize = 8 * 1024 * 1024;
    if bytes.len() > LARGEST {
        return Err(format!("{} bytes are more than {LARGEST}", bytes.len()));
    }
    // The program ends soon; the file is read as the embedded one is.
    let gazetteer = Gazetteer::open(bytes.leak()).map_err(|error| error.to_string())?;
    let by = |code: &str| gazetteer.by_id(code).ok_or(format!("no place {code}"));
    for (query, passage, relation, distance, ancestor) in FIXTURE {
        let found = gazetteer.compare(by(query)?, by(passage)?);
        let meeting = found
            .shared_ancestor
            .map_or("", |place| gazetteer.name(place));
        if (found.relation, found.distance, meeting) != (*relation, *distance, *ancestor) {
            return Err(format!(
                "{query} and {passage}: {} {:?} {meeting}, not {relation} {distance:?} {ancestor}",
                found.relation, found.distance
            ));
        }
    }
    Ok(())
}

/// Place asked about, passage's place, relation, distance, shared ancestor.
type Row = (
    &'static str,
    &'static str,
    Relation,
    Option<u32>,
    &'static str,
);

const FIXTURE: &[Row] = &[
    // Table 3 of the paper.
    ("iso:US-OR", "iso:US-OR", Relation::Exact, Some(0), "Oregon"),
    (
        "iso:US-OR",
        "iso:US",
        Relation::Broader,
        Some(2),
        "United States",
    ),
    (
        "iso:US-OR",
        "iso:US-CA",
        Relation::Different,
        Some(2),
        "West",
    ),
    (
        "iso:US-OR",
        "fips:41051",
        Relation::Finer,
        Some(1),
        "Oregon",
    ),
    // What follows from the definition of distance.
    (
        "gn:5746545",
        "iso:US-OR",
        Relation::Broader,
        Some(2),
        "Oregon",
    ),
    (
        "gn:5746545",
        "iso:US",
        Relation::Broader,
        Some(4),
        "United States",
    ),
    (
        "fips:41051",
        "iso:US",
        Relation::Broader,
        Some(3),
        "United States",
    ),
    (
        "fips:41051",
        "fips:41025",
        Relation::Different,
        Some(2),
        "Oregon",
    ),
    (
        "fips:41051",
        "fips:41039",
        Relation::Different,
        Some(2),
        "Willamette Valley",
    ),
    (
        "region:pacific-northwest",
        "iso:US-OR",
        Relation::Finer,
        Some(1),
        "Pacific Northwest",
    ),
    (
        "region:pacific-northwest",
        "iso:US-CA",
        Relation::Different,
        Some(3),
        "United States",
    ),
    (
        "iso:US-OR",
        "iso:US-TX",
        Relation::Different,
        Some(4),
        "United States",
    ),
    ("iso:US-OR", "iso:CA", Relation::Different, None, ""),
    (
        "iso:US-OR",
        "iso:US-WA",
        Relation::Different,
        Some(2),
        "West",
    ),
    ("iso:CA-ON", "iso:CA", Relation::Broader, Some(1), "Canada"),
    // One boundary, several offices.
    (
        "aiannh:2595",
        "fips:40113",
        Relation::Exact,
        Some(0),
        "Osage County",
    ),
    (
        "gn:4140963",
        "iso:US-DC",
        Relation::Exact,
        Some(0),
        "District of Columbia",
    ),
    // Several parents: no county contains the city.
    (
        "gn:5746545",
        "fips:41051",
        Relation::Overlap,
        Some(1),
        "Multnomah County",
    ),
    (
        "fips:04001",
        "aiannh:2430",
        Relation::Overlap,
        Some(1),
        "Apache County",
    ),
];

fn acyclic(builder: &Builder) -> Result<(), String> {
    let mut state = vec![0u8; builder.nodes.len()];
    for start in 0..builder.nodes.len() {
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if state[node] == 2 {
                    continue;
                }
                state[node] = 1;
            }
            match builder.nodes[node].parents.get(next) {
                Some((parent, _, _)) => {
                    stack.push((node, next + 1));
                    if state[*parent] == 1 {
                        return Err(format!(
                            "cycle through {} and {}",
                            builder.nodes[node].name, builder.nodes[*parent].name
                        ));
                    }
                    if state[*parent] == 0 {
                        stack.push((*parent, 0));
                    }
                }
                None => state[node] = 2,
            }
        }
    }
    Ok(())
}

/// Every node below countries reaches one; seas and world-wide features reach a continent or the world.
fn reaches_a_country(builder: &Builder) -> Result<(), String> {
    for (index, node) in builder.nodes.iter().enumerate() {
        let mut above = vec![index];
        let mut next = 0;
        while next < above.len() {
            for (parent, _, _) in &builder.nodes[above[next]].parents {
                if !above.contains(parent) {
                    above.push(*parent);
                }
            }
            next += 1;
        }
        let country = above.iter().any(|node| {
            matches!(
                builder.nodes[*node].kind,
                Kind::Country | Kind::HistoricCountry
            )
        });
        let worldwide = matches!(
            node.kind,
            Kind::World
                | Kind::Continent
                | Kind::Macroregion
                | Kind::Water
                | Kind::Physical
                | Kind::Island
                | Kind::Subregion
                | Kind::River
                | Kind::Event
        );
        if !country && !worldwide {
            return Err(format!("{} ({}) reaches no country", node.name, node.kind));
        }
        if !country && !above.contains(&0) && node.kind != Kind::Event {
            return Err(format!("{} ({}) reaches nothing", node.name, node.kind));
        }
    }
    Ok(())
}

/// Trap: the census place list keeps one county a place, alphabetically first among several.
fn census_parents(builder: &Builder) -> Result<(), String> {
    for (state, city, county) in [
        ("OR", "Portland", "Multnomah County"),
        ("OK", "Tulsa", "Tulsa County"),
        ("TX", "Houston", "Harris County"),
    ] {
        let state = builder.state(state)?;
        let node = builder
            .names
            .get(&fold(city))
            .into_iter()
            .flatten()
            .map(|(node, _)| &builder.nodes[*node])
            .filter(|node| {
                node.kind == Kind::City
                    && node.parents.first().is_some_and(|p| {
                        builder.nodes[p.0]
                            .parents
                            .first()
                            .is_some_and(|s| s.0 == state)
                            || builder.nodes[p.0].parents.iter().any(|s| s.0 == state)
                    })
            })
            .max_by_key(|node| node.population)
            .ok_or(format!("no city {city}"))?;
        let first = node
            .parents
            .first()
            .map(|p| builder.nodes[p.0].name.as_str());
        if first != Some(county) {
            return Err(format!("{city} lies first in {first:?}, not in {county}"));
        }
        if node.parents.len() < 3 {
            return Err(format!("{city} has {} counties", node.parents.len()));
        }
    }
    Ok(())
}

/// Trap: raw GeoNames gives states a direct edge to the country; and divisions must not carry distance.
fn states_have_no_direct_edge(builder: &Builder) -> Result<(), String> {
    let country = builder.by_iso["US"];
    for usps in ["OR", "CA", "TX", "NY", "AK", "HI", "DC"] {
        let state = builder.state(usps)?;
        for (parent, kind, _) in &builder.nodes[state].parents {
            if *parent == country {
                return Err(format!("{usps} has an edge to the country"));
            }
            if builder.nodes[*parent].kind == Kind::Division && *kind != EdgeKind::Label {
                return Err(format!("{usps}: a census division carries distance"));
            }
        }
    }
    Ok(())
}
