//! Counties, named regions and side areas of the United States.

use std::collections::BTreeMap;

use lahar_places::blob::{FLAG_REFERENCE, FULL};
use lahar_places::fold;
use lahar_places::kind::{EdgeKind, Kind, NameKind};
use lahar_places::states::STATE_FIPS;

use super::Sources;
use super::builder::{Builder, coverage};
use super::world::{number, without_type};

/// Planning regions of Connecticut (2022) and the counties they touch.
const CONNECTICUT: &[(u32, &[u32])] = &[
    (9110, &[9003, 9013]),
    (9120, &[9001]),
    (9130, &[9007, 9011]),
    (9140, &[9009, 9005, 9003, 9001]),
    (9150, &[9015]),
    (9160, &[9005, 9003]),
    (9170, &[9009]),
    (9180, &[9011, 9015]),
    (9190, &[9001, 9005]),
];

/// Units that a side area touches: unit, share of the area in the unit, share of the unit.
type Units = Vec<(usize, u8, u8)>;

/// Gives counties their FIPS codes, adds those that only older tables have, and neighbours.
pub fn add_counties(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    for (number, usps) in STATE_FIPS {
        let state = builder.state(usps)?;
        builder.by_code.insert(format!("fips:{number:02}"), state);
        let prefix = format!("US.{usps}.");
        let counties: Vec<(u32, usize)> = builder
            .by_division
            .iter()
            .filter_map(|(code, node)| Some((code.strip_prefix(&prefix)?.parse().ok()?, *node)))
            .collect();
        for (county, node) in counties {
            let fips = number * 1000 + county;
            builder.by_fips.insert(fips, node);
            builder.code(node, format!("fips:{fips:05}"))?;
        }
    }
    for row in sources.shared("us_counties_gaz2017.tsv")? {
        let fips: u32 = row[1]
            .parse()
            .map_err(|_| format!("county code {}", row[1]))?;
        let node = match builder.by_fips.get(&fips) {
            Some(node) => *node,
            None => old_county(builder, &row[0], &row[3], fips)?,
        };
        builder.nodes[node].point = Some((number(&row[6])?, number(&row[7])?));
        // Independent cities: "Baltimore city" in the Census, "City of Baltimore" in GeoNames.
        builder.name(node, &row[3], NameKind::Alternate);
        if let Some(bare) = row[3].strip_suffix(" city") {
            builder.name(node, bare, NameKind::Short);
        }
        if let Some(short) = without_type(&row[3]) {
            builder.name(node, &short, NameKind::Short);
        }
    }
    for (region, counties) in CONNECTICUT {
        if let Some(&region) = builder.by_fips.get(region) {
            for county in *counties {
                let county = builder.by_fips[county];
                builder.nodes[region].extent.push((county, FULL / 2));
            }
        }
    }
    for row in sources.shared("us_county_adjacency.tsv")? {
        let Ok(county) = builder.county(&row[0]) else {
            continue;
        };
        for other in row[1].split_whitespace() {
            if let Ok(other) = builder.county(other)
                && other != county
            {
                builder.adjacent.push((county, other));
            }
        }
    }
    Ok(())
}

fn old_county(builder: &mut Builder, state: &str, name: &str, fips: u32) -> Result<usize, String> {
    let above = builder.state(state)?;
    // Puerto Rico's municipios are first-level divisions in GeoNames.
    let known = without_type(name).and_then(|short| {
        builder
            .names
            .get(&fold(&short))?
            .iter()
            .map(|(node, _)| *node)
            .find(|node| {
                builder.nodes[*node].kind == Kind::State
                    && builder.nodes[*node].parents.iter().any(|p| p.0 == above)
            })
    });
    let node = known.unwrap_or_else(|| {
        let node = builder.node(name, Kind::County);
        builder.nodes[node].country = builder.nodes[above].country;
        builder.nodes[node].key = fips;
        builder.nodes[node].note =
            Some("county of the 2017 tables; newer tables divide the state otherwise".into());
        builder.edge(node, above, EdgeKind::Admin, FULL);
        builder
            .by_division
            .insert(format!("US.{state}.{:03}", fips % 1000), node);
        node
    });
    builder.nodes[node].kind = Kind::County;
    builder.by_fips.insert(fips, node);
    if builder.nodes[node].code.is_none() {
        builder.code(node, format!("fips:{fips:05}"))?;
    }
    Ok(node)
}

/// Census regions, groups of states, named parts of states, reference regions.
pub fn add_regions(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let country = builder.by_iso["US"];
    let groups: BTreeMap<String, u32> = sources
        .shared("geonames_us_state_groups.tsv")?
        .into_iter()
        .filter(|row| row[1].contains("(census region)") || row[1].starts_with("Pacific Northwest"))
        .filter_map(|row| {
            let name = row[1].split([' ', '?']).next()?.to_owned();
            let name = if name == "Pacific" {
                "Pacific Northwest".to_owned()
            } else {
                name
            };
            Some((name, row[0].parse().ok()?))
        })
        .collect();
    for (file, reference) in [
        ("us_regions_curated.tsv", false),
        ("us_regions_reference.tsv", true),
    ] {
        for row in sources.shared(file)? {
            let mut units = Vec::new();
            for member in row[3].split_whitespace() {
                units.push(match member.split_once(':') {
                    Some(("state", usps)) => builder.state(usps)?,
                    Some(("county", fips)) => builder.county(fips)?,
                    _ => return Err(format!("{file}: member {member}")),
                });
            }
            region(builder, &row, &units, reference, country, &groups)?;
        }
    }
    // The printed chain of Oregon runs through the Pacific Northwest (Table 3 of the paper).
    let (oregon, northwest) = (
        builder.state("OR")?,
        builder.by_code["region:pacific-northwest"],
    );
    let parents = &mut builder.nodes[oregon].parents;
    if let Some(at) = parents.iter().position(|p| p.0 == northwest) {
        parents.swap(0, at);
    }
    Ok(())
}

fn region(
    builder: &mut Builder,
    row: &[String],
    units: &[usize],
    reference: bool,
    country: usize,
    groups: &BTreeMap<String, u32>,
) -> Result<(), String> {
    let of_states = units
        .iter()
        .all(|unit| builder.nodes[*unit].kind == Kind::State);
    let kind = match row[1].as_str() {
        "census_region" => Kind::CensusRegion,
        "census_division" => Kind::Division,
        "physical" => Kind::Physical,
        "island" => Kind::Island,
        _ if of_states => Kind::Region,
        _ => Kind::Subregion,
    };
    let name = row[0].split(" (").next().unwrap_or(&row[0]);
    // Contiguous United States holds nearly everything: an endpoint wherever it is listed.
    let reference = reference || kind == Kind::Division || name == "Contiguous United States";
    let code = format!("region:{}", fold(&row[0]).replace(' ', "-"));
    if let Some(&known) = builder.by_code.get(&code) {
        builder.names(known, &row[2], NameKind::Alternate);
        return Ok(());
    }
    let node = builder.node(name, kind);
    builder.code(node, code)?;
    builder.names(node, &row[2], NameKind::Alternate);
    builder.name(node, &row[0], NameKind::Alternate);
    builder.nodes[node].country = country;
    if let Some(id) = groups.get(name).filter(|_| kind != Kind::Division) {
        builder.geonames(node, *id);
    }
    let container = match builder.smallest_container(units) {
        _ if of_states => country,
        Some(container) => container,
        None => country,
    };
    // A region of one county lies in the county; it does not hold it.
    if let [county] = units
        && !of_states
    {
        builder.edge(node, *county, EdgeKind::Spans, FULL);
        builder.nodes[node].extent.push((*county, FULL / 2));
        return Ok(());
    }
    let up = match kind {
        Kind::CensusRegion => EdgeKind::CensusRegion,
        _ if reference => EdgeKind::Label,
        _ => EdgeKind::Vernacular,
    };
    let partly = matches!(
        name,
        "Sierra Nevada" | "New Jersey Pinelands" | "Outer Banks"
    ) || reference && kind == Kind::Physical;
    for unit in units {
        builder.edge(*unit, node, up, FULL);
        builder.nodes[node]
            .extent
            .push((*unit, if partly { FULL / 2 } else { FULL }));
        if matches!(kind, Kind::CensusRegion | Kind::Region) && !reference {
            builder.nodes[*unit].parents.retain(|p| p.0 != country);
        }
    }
    if reference {
        builder.nodes[node].flags |= FLAG_REFERENCE;
    }
    // Contained by law or by census: the edge from the region to its container carries distance.
    let above = if kind == Kind::CensusRegion {
        EdgeKind::CensusRegion
    } else {
        EdgeKind::Vernacular
    };
    builder.edge(node, container, above, FULL);
    Ok(())
}

/// Tribal areas, forests, parks, watersheds, zones, offices, mountains and islands.
pub fn add_side_areas(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    tribal(builder, sources)?;
    let counties: BTreeMap<String, String> = sources
        .own("forest_counties.tsv")?
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    for row in sources.shared("us_national_forests_curated.tsv")? {
        let states = states_of(builder, row[2].split_whitespace());
        let name = match row[0].as_str() {
            name if name.starts_with("National Forests") || name.ends_with("Unit") => {
                name.to_owned()
            }
            name => format!("{name} National Forest"),
        };
        let units = match counties.get(&row[0]) {
            Some(listed) => Some(forest_units(builder, listed)?),
            None => None,
        };
        let node = side(
            builder,
            &name,
            Kind::Forest,
            "forest",
            &states,
            units.as_deref(),
        )?;
        if !name.starts_with("National") {
            builder.name(node, &format!("{} NF", row[0]), NameKind::Alternate);
        }
        if name.contains(" and ") {
            builder.name(
                node,
                &name.replace("National Forest", "National Forests"),
                NameKind::Alternate,
            );
        }
    }
    let mut parks: BTreeMap<String, (String, Units)> = BTreeMap::new();
    for row in sources.shared("nps_units_us_counties.tsv")? {
        let Ok(county) = builder.county(&row[3]) else {
            continue;
        };
        let name = if row[1].contains("National") || row[1].ends_with(" NS") {
            row[1].replace(" NS", " National Seashore")
        } else {
            format!("{} {}", row[1], row[2])
        };
        let (of_county, of_unit) = (number(&row[4])?, number(&row[5])?);
        parks
            .entry(row[0].clone())
            .or_insert((name, Vec::new()))
            .1
            .push((county, coverage(of_unit), coverage(of_county)));
    }
    for (code, (name, units)) in parks {
        let node = side(builder, &name, Kind::Park, "park", &[], Some(&units))?;
        builder.name(node, &code, NameKind::Gated);
    }
    for row in sources.shared("usgs_huc2_4_6_8.tsv")? {
        let states = states_of(builder, row[2].split(','));
        let node = builder.unnamed(&row[1], Kind::Watershed);
        builder.code(node, format!("huc:{}", row[0]))?;
        builder.name(node, &format!("HUC {}", row[0]), NameKind::Official);
        for word in ["watershed", "basin"] {
            builder.name(node, &format!("{} {word}", row[1]), NameKind::Gated);
        }
        attach(builder, node, &states, None);
    }
    zones(builder, sources)?;
    natural_earth(builder, sources)
}

/// `OR:Lane|Linn;CA:Siskiyou` as counties; how much of which is not known.
fn forest_units(builder: &Builder, listed: &str) -> Result<Units, String> {
    let mut units = Vec::new();
    for part in listed.split(';') {
        let (usps, names) = part
            .split_once(':')
            .ok_or(format!("forest_counties.tsv: {part}"))?;
        let state = builder.state(usps)?;
        for name in names.split('|') {
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
                            .iter()
                            .any(|parent| parent.0 == state)
                })
                .ok_or(format!("forest_counties.tsv: no county {name} in {usps}"))?;
            units.push((county, FULL / 2, FULL / 4));
        }
    }
    Ok(units)
}

fn states_of<'a>(builder: &Builder, codes: impl Iterator<Item = &'a str>) -> Vec<usize> {
    codes
        .filter_map(|code| builder.state(code.trim()).ok())
        .collect()
}

/// Parents and extent of a side area: its counties with coverage, or its states.
fn attach(
    builder: &mut Builder,
    node: usize,
    states: &[usize],
    counties: Option<&[(usize, u8, u8)]>,
) {
    let units: Vec<(usize, u8, u8)> = match counties {
        Some(counties) => counties.to_vec(),
        None => states
            .iter()
            .map(|state| {
                (
                    *state,
                    if states.len() == 1 { FULL } else { FULL / 2 },
                    FULL / 4,
                )
            })
            .collect(),
    };
    for (unit, of_node, of_unit) in &units {
        builder.edge(node, *unit, EdgeKind::Spans, *of_node);
        builder.nodes[node].extent.push((*unit, *of_unit));
    }
    let all: Vec<usize> = units.iter().map(|unit| unit.0).collect();
    if let Some(container) = builder.smallest_container(&all) {
        builder.edge(node, container, EdgeKind::Spans, FULL);
    }
    if let Some(first) = all.first() {
        builder.nodes[node].country = builder.nodes[*first].country;
    } else {
        let country = builder.by_iso["US"];
        builder.edge(node, country, EdgeKind::Spans, FULL / 2);
        builder.nodes[node].country = country;
    }
}

fn side(
    builder: &mut Builder,
    name: &str,
    kind: Kind,
    prefix: &str,
    states: &[usize],
    counties: Option<&[(usize, u8, u8)]>,
) -> Result<usize, String> {
    let node = builder.node(name, kind);
    builder.slug(node, prefix, name)?;
    attach(builder, node, states, counties);
    Ok(node)
}

fn tribal(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let curated: BTreeMap<String, Vec<String>> = sources
        .shared("us_tribal_counties_curated.tsv")?
        .into_iter()
        .map(|row| (row[0].clone(), row))
        .collect();
    for row in sources.shared("us_aiannh_states.tsv")? {
        let node = builder.node(&row[1], Kind::Tribal);
        builder.code(node, format!("aiannh:{}", row[0]))?;
        for word in [
            " Indian Reservation",
            " Reservation",
            " OTSA",
            " SDTSA",
            " ANVSA",
        ] {
            if let Some(bare) = row[1].strip_suffix(word) {
                builder.name(node, &format!("{bare} Reservation"), NameKind::Alternate);
                builder.name(
                    node,
                    &format!("{bare} Indian Reservation"),
                    NameKind::Alternate,
                );
                let gate = if bare.contains(' ') && word != " ANVSA" {
                    NameKind::Alternate
                } else {
                    NameKind::Gated
                };
                builder.name(node, bare, gate);
                break;
            }
        }
        if let Some(hand) = curated.get(&row[0]) {
            let counties: Vec<(usize, u8, u8)> = hand[3]
                .split_whitespace()
                .map(|fips| Ok((builder.county(fips)?, FULL / 2, FULL / 4)))
                .collect::<Result<_, String>>()?;
            builder.names(node, &hand[2], NameKind::Alternate);
            let lone = counties.len() == 1;
            let counties: Vec<_> = counties
                .into_iter()
                .map(|(county, part, of)| (county, if lone { FULL } else { part }, of))
                .collect();
            attach(builder, node, &[], Some(&counties));
            if row[0] == "2595" || row[0] == "2175" {
                // Osage and Menominee: reservation and county have one boundary.
                builder.same_extent.push((node, counties[0].0));
            }
        } else {
            // States with a sliver (below 1 % of the land) count as touched, not as holding it.
            let shares: Vec<(usize, f64)> = row[4]
                .split(';')
                .filter_map(|part| {
                    let (state, land) = part.split_once(':')?;
                    Some((builder.state(state).ok()?, land.parse().ok()?))
                })
                .collect();
            let whole: f64 = shares.iter().map(|share| share.1).sum();
            let states: Vec<usize> = shares
                .iter()
                .filter(|share| whole <= 0.0 || share.1 / whole >= 0.01)
                .map(|share| share.0)
                .collect();
            attach(builder, node, &states, None);
        }
    }
    Ok(())
}

fn zones(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let mut zones: BTreeMap<String, (f64, f64, Units)> = BTreeMap::new();
    for row in sources.shared("nws_firewx_zone_counties.tsv")? {
        if let Ok(county) = builder.county(&row[4]) {
            let entry = zones.entry(row[0].clone()).or_insert((
                number(&row[3])?,
                number(&row[2])?,
                Vec::new(),
            ));
            entry.2.push((
                county,
                coverage(number(&row[6])?),
                coverage(number(&row[5])?),
            ));
        }
    }
    for (code, (lat, lon, units)) in zones {
        let node = builder.unnamed("Fire weather zone", Kind::FireZone);
        builder.code(node, format!("ugc:{code}"))?;
        builder.name(node, &code, NameKind::Official);
        builder.nodes[node].point = Some((lat, lon));
        attach(builder, node, &[], Some(&units));
    }
    let mut offices: BTreeMap<String, Units> = BTreeMap::new();
    for row in sources.shared("nws_wfo_counties.tsv")? {
        if let Ok(county) = builder.county(&row[4]) {
            offices.entry(row[0].clone()).or_default().push((
                county,
                coverage(number(&row[6])?),
                coverage(number(&row[5])?),
            ));
        }
    }
    for (code, units) in offices {
        let node = builder.node(&format!("NWS {code}"), Kind::Office);
        builder.code(node, format!("wfo:{code}"))?;
        for (county, _, of_county) in &units {
            builder.nodes[node].extent.push((*county, *of_county));
        }
        let counties: Vec<usize> = units.iter().map(|unit| unit.0).collect();
        if let Some(container) = builder.smallest_container(&counties) {
            builder.edge(node, container, EdgeKind::Label, FULL);
            builder.nodes[node].country = builder.nodes[container].country;
        }
    }
    Ok(())
}

fn natural_earth(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let mut overlaps: BTreeMap<String, Vec<(usize, u8, u8)>> = BTreeMap::new();
    for row in sources.shared("ne_region_us_counties.tsv")? {
        if let Ok(county) = builder.county(&row[2]) {
            overlaps.entry(row[0].clone()).or_default().push((
                county,
                coverage(number(&row[4])?),
                coverage(number(&row[3])?),
            ));
        }
    }
    for row in sources.shared("ne_regions.tsv")? {
        let kind = match row[2].as_str() {
            "Island" | "Island group" => Kind::Island,
            "Continent" | "Dragons-be-here" => continue,
            "Lake" => Kind::Water,
            "Geoarea" => Kind::Subregion,
            _ => Kind::Physical,
        };
        let name = written_out(&row[0]);
        let folded = fold(&name);
        let taken = builder.names.get(&folded).is_some_and(|known| {
            known
                .iter()
                .any(|(node, _)| builder.nodes[*node].kind != Kind::City)
        });
        if taken || folded.is_empty() {
            continue; // a hand-made region, an island state or a division of that name
        }
        let (west, south, east, north) = (
            number(&row[6])?,
            number(&row[7])?,
            number(&row[8])?,
            number(&row[9])?,
        );
        let node = builder.node(&name, kind);
        builder.slug(node, "ne", &name)?;
        builder.names(node, &row[1], NameKind::Alternate);
        builder.nodes[node].point = Some(((south + north) / 2.0, (west + east) / 2.0));
        match overlaps
            .get(&row[0])
            .filter(|_| row[3] == "North America" || row[3] == "Oceania")
        {
            Some(units) => attach(builder, node, &[], Some(units)),
            None => {
                let continent = [
                    "Africa",
                    "Asia",
                    "Europe",
                    "North America",
                    "South America",
                    "Oceania",
                ]
                .iter()
                .find(|continent| **continent == row[3])
                .and_then(|name| builder.names.get(&fold(name)))
                .map(|known| known[0].0)
                .unwrap_or(0);
                builder.edge(node, continent, EdgeKind::Label, FULL);
            }
        }
    }
    Ok(())
}

/// Natural Earth abbreviates and shouts: `Unimak I.`, `SIERRA NEVADA`.
fn written_out(name: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        words.push(match word {
            "I." => "Island".into(),
            "Is." => "Islands".into(),
            "Pen." => "Peninsula".into(),
            "Mts." | "Mts" => "Mountains".into(),
            "Mt." => "Mount".into(),
            "Plat." => "Plateau".into(),
            "Ra." => "Range".into(),
            "C." => "Cape".into(),
            _ if word.chars().count() > 1 && word.chars().all(|c| !c.is_lowercase()) => {
                let mut letters = word.chars();
                letters
                    .next()
                    .into_iter()
                    .chain(letters.flat_map(char::to_lowercase))
                    .collect()
            }
            _ => word.to_owned(),
        });
    }
    words.join(" ")
}
