//! Cities of GeoNames, and the places of the Census that GeoNames lacks.

use std::collections::HashMap;

use lahar_places::blob::{FLAG_CAPITAL, FLAG_SINGLE_SOURCE_PARENT, FULL};
use lahar_places::fold;
use lahar_places::kind::{EdgeKind, Kind, NameKind};

use super::Sources;
use super::builder::Builder;
use super::world::number;

/// Coverage of a city in one of several counties; how much lies where is not in the sources.
const PART: u8 = FULL / 2;

/// Adds cities, then the parents that the tables of the Census and our own list add.
pub fn add(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let mut in_state: HashMap<(String, String), Vec<usize>> = HashMap::new();
    for row in sources.shared("geonames_cities_us500_world5000.tsv.gz")? {
        let [
            id,
            name,
            cc,
            adm1,
            adm2,
            lat,
            lon,
            feature,
            population,
            alternates,
        ] = &row[..]
        else {
            return Err(format!("cities: ten cells are needed: {row:?}"));
        };
        let county = builder
            .by_division
            .get(&format!("{cc}.{adm1}.{adm2}"))
            .copied();
        let county = county.or_else(|| {
            (cc == "US")
                .then(|| {
                    builder
                        .by_division
                        .get(&format!("US.{adm1}.{adm2}"))
                        .copied()
                })
                .flatten()
        });
        let state = builder.by_division.get(&format!("{cc}.{adm1}")).copied();
        let Some(parent) = county.or(state).or(builder.by_iso.get(cc).copied()) else {
            continue;
        };
        if feature == "PPLX" && cc != "US" && population.parse::<u64>().unwrap_or(0) < 15_000 {
            continue; // quarters of foreign cities with everyday names
        }
        let node = builder.node(name, Kind::City);
        builder.geonames(node, id.parse().unwrap_or(0));
        builder.nodes[node].point = Some((number(lat)?, number(lon)?));
        builder.nodes[node].population = population.parse().unwrap_or(0);
        builder.nodes[node].country = builder.nodes[parent].country;
        if matches!(feature.as_str(), "PPLC" | "PPLA") {
            builder.nodes[node].flags |= FLAG_CAPITAL;
        }
        builder.edge(node, parent, EdgeKind::Admin, FULL);
        let population = builder.nodes[node].population;
        for alternate in alternates.split('|') {
            if worth_keeping(alternate, name, population) {
                builder.name(node, alternate, NameKind::Alternate);
            }
        }
        if cc == "US" {
            in_state
                .entry((adm1.clone(), fold(name)))
                .or_default()
                .push(node);
        }
    }
    for (iso, name, short) in [
        ("NY", "New York City", "New York"),
        ("DC", "Washington", "Washington D.C."),
    ] {
        if let Some([city]) = in_state.get(&(iso.into(), fold(name))).map(Vec::as_slice) {
            builder.name(*city, short, NameKind::Official);
        }
    }
    for row in sources.own("city_aliases.tsv")? {
        let city = in_state
            .get(&(row[0].clone(), fold(&row[1])))
            .and_then(|cities| {
                cities
                    .iter()
                    .max_by_key(|city| builder.nodes[**city].population)
            })
            .copied()
            .ok_or(format!("city_aliases.tsv: no city {}", row[1]))?;
        for alias in row[2].split(';') {
            builder.name(city, alias, NameKind::Alternate);
        }
    }
    settlements(builder, sources)?;
    several_counties(builder, sources, &in_state)?;
    same_extents(builder, sources, &in_state)?;
    census_places(builder, sources, &mut in_state)?;
    renamed(builder, sources, &in_state)
}

/// Transliterations that no English text uses would fill the index and cause false matches.
fn worth_keeping(alternate: &str, name: &str, population: u64) -> bool {
    let letters = alternate.chars().filter(|c| c.is_alphabetic()).count();
    let odd = alternate.contains('\'') && !name.contains('\'')
        || alternate.contains('`')
        || alternate.contains("zh") && population < 500_000
        || alternate.contains("sch") && !name.contains("sch") && population < 300_000;
    let code = letters <= 4 && alternate.chars().all(|c| c.is_ascii_uppercase());
    let lower = alternate.chars().next().is_some_and(char::is_lowercase);
    letters >= 4
        && !odd
        && !code
        && !lower
        && population >= 15_000
        && alternate
            .chars()
            .all(|c| c.is_ascii() || ('\u{c0}'..'\u{250}').contains(&c))
}

/// Towns and villages of countries whose towns nearly all lie below the size from which the cities
/// table begins: there a village is as well known as a town elsewhere.
fn settlements(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    for row in sources.own("settlements.tsv")? {
        let [name, division, lat, lon, population, aliases] = &row[..] else {
            return Err(format!("settlements.tsv: six cells are needed: {row:?}"));
        };
        let parent = *builder
            .by_division
            .get(division)
            .or_else(|| builder.by_iso.get(division))
            .ok_or(format!("settlements.tsv: no division {division}"))?;
        let node = builder.node(name, Kind::City);
        builder.slug(node, "town", name)?;
        builder.nodes[node].point = Some((number(lat)?, number(lon)?));
        builder.nodes[node].population = population
            .parse()
            .map_err(|_| format!("settlements.tsv: {population} inhabitants"))?;
        builder.nodes[node].country = builder.nodes[parent].country;
        builder.edge(node, parent, EdgeKind::Admin, FULL);
        for alias in aliases.split(';').filter(|alias| !alias.is_empty()) {
            builder.name(node, alias, NameKind::Historical);
        }
    }
    Ok(())
}

type InState = HashMap<(String, String), Vec<usize>>;

fn several_counties(
    builder: &mut Builder,
    sources: &Sources,
    in_state: &InState,
) -> Result<(), String> {
    for row in sources.own("multi_county_cities.tsv")? {
        let state = builder.state(&row[0])?;
        let found = in_state.get(&(row[0].clone(), fold(&row[1])));
        let Some(&city) = found.and_then(|cities| {
            cities
                .iter()
                .max_by_key(|city| builder.nodes[**city].population)
        }) else {
            return Err(format!(
                "multi_county_cities.tsv: no city {} in {}",
                row[1], row[0]
            ));
        };
        let mut counties = Vec::new();
        for name in row[2].split('|') {
            let county = builder
                .names
                .get(&fold(&format!("{name} County")))
                .into_iter()
                .flatten()
                .map(|(node, _)| *node)
                .find(|node| {
                    builder.nodes[*node].kind == Kind::County
                        && builder.nodes[*node]
                            .parents
                            .first()
                            .is_some_and(|p| p.0 == state)
                })
                .ok_or(format!(
                    "multi_county_cities.tsv: no county {name} in {}",
                    row[0]
                ))?;
            counties.push(county);
        }
        builder.nodes[city].parents.clear();
        for county in &counties {
            let share = if counties.len() == 1 { FULL } else { PART };
            builder.edge(city, *county, EdgeKind::Admin, share);
        }
        if row[3] == "whole" {
            builder.nodes[city].extent = counties.iter().map(|c| (*c, FULL)).collect();
        }
    }
    Ok(())
}

fn same_extents(
    builder: &mut Builder,
    sources: &Sources,
    in_state: &InState,
) -> Result<(), String> {
    for row in sources.own("same_extent.tsv")? {
        if row[0] != "city_county" {
            continue;
        }
        let county = builder.county(&row[3])?;
        let city = in_state
            .get(&(row[1].clone(), fold(&row[2])))
            .and_then(|cities| {
                cities
                    .iter()
                    .max_by_key(|city| builder.nodes[**city].population)
            })
            .ok_or(format!("same_extent.tsv: no city {} in {}", row[2], row[1]))?;
        builder.same_extent.push((*city, county));
        if row[1] == "DC" {
            let state = builder.state("DC")?;
            builder.same_extent.push((*city, state));
            builder.same_extent.push((county, state));
        }
    }
    // Independent cities of Virginia: the county unit and the city are one.
    let cities: Vec<(usize, usize)> = builder
        .by_fips
        .range(51_500..52_000)
        .filter_map(|(_, county)| {
            let name = builder.nodes[*county].name.clone();
            let name = fold(&name);
            let bare = name
                .strip_prefix("city of ")
                .or(name.strip_suffix(" city"))
                .unwrap_or(&name);
            let found = in_state
                .get(&("VA".into(), bare.to_owned()))
                .or_else(|| in_state.get(&("VA".into(), name.clone())))?;
            let city = found
                .iter()
                .max_by_key(|city| builder.nodes[**city].population)?;
            Some((*city, *county))
        })
        .collect();
    builder.same_extent.extend(cities);
    Ok(())
}

/// Type words of the Census list, and the kind they make.
const CLASSES: &[(&str, Kind)] = &[
    (" CDP", Kind::City),
    (" city", Kind::City),
    (" town", Kind::Township),
    (" township", Kind::Township),
    (" village", Kind::City),
    (" borough", Kind::City),
    (" charter township", Kind::Township),
    (" plantation", Kind::Township),
    (" municipality", Kind::City),
];

fn census_places(
    builder: &mut Builder,
    sources: &Sources,
    in_state: &mut InState,
) -> Result<(), String> {
    let (mut known, mut overlaps, mut added) = (0, 0, 0);
    let mut unplaced = Vec::new();
    for row in sources.shared("us_census_places.tsv")? {
        let [state, county_name, fips, name, geoid] = &row[..] else {
            return Err(format!("census places: five cells are needed: {row:?}"));
        };
        // The list leaves out the code of counties that were renamed or replaced, Connecticut's
        // among them.
        let county = match builder.county(fips) {
            Ok(county) => county,
            Err(_) => match named_county(builder, state, county_name)? {
                Some(county) => county,
                None => {
                    unplaced.push(format!("{name}, {state}"));
                    builder.state(state)?
                }
            },
        };
        let class = CLASSES
            .iter()
            .rev()
            .find_map(|(word, kind)| name.strip_suffix(word).map(|bare| (bare, *kind)));
        let (bare, kind) = class.unwrap_or((name, Kind::City));
        let bare = bare.trim_end_matches(" (balance)");
        let key = (state.clone(), fold(bare));
        let same_name = in_state.get(&key).cloned().unwrap_or_default();
        let here = same_name
            .iter()
            .find(|city| builder.nodes[**city].parents.iter().any(|p| p.0 == county));
        if here.is_some() {
            known += 1;
        } else if let [city] = same_name[..]
            && kind == Kind::City
        {
            // One county is kept there for each place, often the wrong one: an overlap, no parent
            // in its own right.
            if builder.nodes[city].parents.len() == 1 {
                builder.nodes[city].parents[0].2 = PART;
                builder.edge(city, county, EdgeKind::Admin, PART);
            }
            overlaps += 1;
        } else {
            let node = builder.node(bare, kind);
            builder.nodes[node].key = geoid.parse().unwrap_or(0);
            builder.nodes[node].flags |= FLAG_SINGLE_SOURCE_PARENT;
            builder.nodes[node].country = builder.nodes[county].country;
            builder.edge(node, county, EdgeKind::Admin, FULL);
            if class.is_some_and(|_| name.ends_with("township") || name.ends_with("village")) {
                builder.name(node, name, NameKind::Alternate);
            }
            in_state.entry(key).or_default().push(node);
            added += 1;
        }
    }
    println!(
        "census places: {known} known, {overlaps} with another county, {added} added, {} in no county",
        unplaced.len()
    );
    Ok(())
}

/// Names of counties in the census list that its other tables write otherwise.
const OTHER_COUNTY_NAMES: &[(&str, &str, &str)] = &[
    ("AK", "Wade Hampton Census Area", "Kusilvak Census Area"),
    ("LA", "La Salle Parish", "LaSalle Parish"),
    ("SD", "Shannon County", "Oglala Lakota County"),
];

/// A county of a state by its name; none where no table has such a county.
fn named_county(builder: &Builder, state: &str, name: &str) -> Result<Option<usize>, String> {
    let name = OTHER_COUNTY_NAMES
        .iter()
        .find(|(where_, old, _)| *where_ == state && *old == name)
        .map_or(name, |(_, _, now)| now);
    let state = builder.state(state)?;
    Ok(builder
        .names
        .get(&fold(name))
        .into_iter()
        .flatten()
        .map(|(node, _)| *node)
        .find(|node| {
            let node = &builder.nodes[*node];
            node.kind == Kind::County && node.parents.iter().any(|parent| parent.0 == state)
        }))
}

fn renamed(builder: &mut Builder, sources: &Sources, in_state: &InState) -> Result<(), String> {
    for row in sources.own("renamed.tsv")? {
        let node = if let Some(fips) = row[0].strip_prefix("fips:") {
            builder.county(fips)?
        } else {
            let mut parts = row[0].split(':').skip(1);
            let key = (
                parts.next().unwrap_or("").to_owned(),
                fold(parts.next().unwrap_or("")),
            );
            *in_state
                .get(&key)
                .and_then(|cities| cities.first())
                .ok_or(format!("renamed.tsv: {}", row[0]))?
        };
        let folded = fold(&row[1]);
        if let Some(entry) = builder.names.get_mut(&folded) {
            entry.retain(|(known, _)| *known != node);
        }
        builder.name(node, &row[1], NameKind::Historical);
        builder.name(node, &row[2], NameKind::Official);
        builder.nodes[node].name = row[2].clone();
        builder.nodes[node].note = Some(row[3].clone());
    }
    Ok(())
}
