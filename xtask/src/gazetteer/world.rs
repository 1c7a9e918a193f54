//! World, continents, countries, divisions, seas and rivers.

use lahar_places::blob::{FLAG_REFERENCE, FULL};
use lahar_places::fold;
use lahar_places::kind::{EdgeKind, Kind, NameKind};

use super::Sources;
use super::builder::Builder;

/// Continents by the code GeoNames uses, with GeoNames ids.
const CONTINENTS: &[(&str, &str, u32)] = &[
    ("AF", "Africa", 6255146),
    ("AS", "Asia", 6255147),
    ("EU", "Europe", 6255148),
    ("NA", "North America", 6255149),
    ("SA", "South America", 6255150),
    ("OC", "Oceania", 6255151),
    ("AN", "Antarctica", 6255152),
];

/// Countries on two continents, and the second one.
const SECOND_CONTINENT: &[(&str, &str)] = &[("RU", "AS"), ("TR", "EU"), ("EG", "AS"), ("KZ", "EU")];

/// Territories under a country, by code.
const UNDER: &[(&str, &str)] = &[
    ("PR", "US"),
    ("GU", "US"),
    ("VI", "US"),
    ("AS", "US"),
    ("MP", "US"),
    ("UM", "US"),
    ("HK", "CN"),
    ("MO", "CN"),
    ("GL", "DK"),
    ("FO", "DK"),
];

/// Adds everything above cities outside the hand-made tables of the United States.
pub fn add(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let world = builder.node("World", Kind::World);
    builder.code(world, "world:all".into())?;
    let regions = sources.own("world_regions.tsv")?;
    for (code, name, id) in CONTINENTS {
        let node = builder.node(name, Kind::Continent);
        builder.by_code.insert(format!("continent:{code}"), node);
        builder.geonames(node, *id);
        builder.edge(node, world, EdgeKind::Label, FULL);
    }
    add_countries(builder, sources)?;
    add_divisions(builder, sources)?;
    for row in &regions {
        let [name, kind, lat, lon, aliases, demonyms, countries] = &row[..] else {
            return Err(format!(
                "world_regions.tsv: seven cells are needed: {row:?}"
            ));
        };
        let kind = match kind.as_str() {
            "subregion" => Kind::Subregion,
            "physical" => Kind::Physical,
            word => Kind::parse(word).ok_or(format!("world_regions.tsv: kind {word}"))?,
        };
        let node = if kind == Kind::Continent {
            builder.by_code[&format!(
                "continent:{}",
                CONTINENTS
                    .iter()
                    .find(|c| c.1 == name)
                    .ok_or(format!("continent {name}"))?
                    .0
            )]
        } else {
            let bare = name.split(" (").next().unwrap_or(name);
            let node = builder.node(bare, kind);
            builder.slug(node, if kind.level() == 0 { "world" } else { "area" }, name)?;
            node
        };
        builder.nodes[node].point = Some((number(lat)?, number(lon)?));
        builder.names(node, aliases, NameKind::Alternate);
        builder.names(node, demonyms, NameKind::Demonym);
        // "Nile River" and "River Nile" are written as often as "Nile".
        let countries: Vec<usize> = countries
            .split_whitespace()
            .map(|iso| {
                builder
                    .by_iso
                    .get(iso)
                    .copied()
                    .ok_or(format!("country {iso}"))
            })
            .collect::<Result<_, _>>()?;
        if kind == Kind::Macroregion {
            builder.nodes[node].flags |= FLAG_REFERENCE;
            for country in &countries {
                builder.nodes[node].extent.push((*country, FULL));
                builder.edge(*country, node, EdgeKind::Label, FULL);
            }
            builder.edge(node, world, EdgeKind::Label, FULL);
        } else if kind != Kind::Continent {
            for country in &countries {
                let share = if countries.len() == 1 { FULL } else { FULL / 2 };
                builder.edge(node, *country, EdgeKind::Spans, share);
                builder.nodes[node].extent.push((*country, 10));
            }
            if countries.is_empty() {
                builder.edge(node, world, EdgeKind::Label, FULL);
            }
        }
    }
    add_abbreviations(builder, sources)
}

fn add_countries(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    for row in sources.own("countries.tsv")? {
        let iso = &row[0];
        if matches!(iso.as_str(), "AN" | "CS") {
            continue; // no more countries; they stand in historic_countries.tsv
        }
        let name = row[2].strip_prefix("The ").unwrap_or(&row[2]);
        let node = builder.node(name, Kind::Country);
        builder.geonames(node, row[1].parse().unwrap_or(0));
        builder.code(node, format!("iso:{iso}"))?;
        builder.by_iso.insert(iso.clone(), node);
        builder.nodes[node].population = row[4].parse().unwrap_or(0);
        builder.nodes[node].country = node;
    }
    for row in sources.own("countries.tsv")? {
        let Some(&node) = builder.by_iso.get(&row[0]) else {
            continue;
        };
        if let Some((_, above)) = UNDER.iter().find(|(iso, _)| *iso == row[0]) {
            let above = builder.by_iso[*above];
            builder.edge(node, above, EdgeKind::Admin, FULL);
        }
        let second = SECOND_CONTINENT.iter().find(|(iso, _)| *iso == row[0]);
        let share = if second.is_some() { FULL / 2 } else { FULL };
        for code in [Some(row[3].as_str()), second.map(|(_, code)| *code)]
            .into_iter()
            .flatten()
        {
            let continent = *builder
                .by_code
                .get(&format!("continent:{code}"))
                .ok_or(format!("continent {code} of {}", row[0]))?;
            builder.edge(node, continent, EdgeKind::Label, share);
            if share == FULL {
                builder.nodes[continent].extent.push((node, FULL));
            } else {
                builder.nodes[continent].extent.push((node, FULL / 2));
            }
        }
    }
    for row in sources.own("country_names.tsv")? {
        let node = *builder
            .by_iso
            .get(&row[0])
            .ok_or(format!("country {}", row[0]))?;
        builder.names(node, &row[1], NameKind::Alternate);
        builder.names(node, &row[2], NameKind::Demonym);
    }
    for row in sources.own("historic_countries.tsv")? {
        let node = builder.node(&row[0], Kind::HistoricCountry);
        builder.slug(node, "historic", &row[0])?;
        builder.nodes[node].country = node;
        builder.nodes[node].point = Some((number(&row[1])?, number(&row[2])?));
        builder.names(node, &row[3], NameKind::Historical);
        builder.names(node, &row[4], NameKind::Demonym);
        builder.nodes[node].note = Some("a country that is no more".into());
        for iso in row[5].split_whitespace() {
            let successor = builder.by_iso[iso];
            builder.nodes[node].extent.push((successor, FULL / 2));
            let continent = builder.nodes[successor].parents[0].0;
            builder.edge(node, continent, EdgeKind::Label, FULL);
        }
    }
    Ok(())
}

fn add_divisions(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    let rows = sources.shared("geonames_iso_subdivisions.tsv.gz")?;
    for wanted in ["1", "2"] {
        for row in &rows {
            // Rows without a GeoNames id come from the ISO list, of which codes alone are taken.
            if row[6] != wanted || row[3].is_empty() || row[2].is_empty() {
                continue;
            }
            let Some(above) = row[2].rsplit_once('.').map(|(above, _)| above) else {
                continue;
            };
            let parent = if wanted == "1" {
                builder.by_iso.get(above)
            } else {
                builder.by_division.get(above)
            };
            let Some(&parent) = parent else {
                continue;
            };
            let kind = if wanted == "1" {
                Kind::State
            } else {
                Kind::County
            };
            let united_states = row[2].starts_with("US.");
            let node = builder.node(&row[0], kind);
            builder.geonames(node, row[3].parse().unwrap_or(0));
            builder.nodes[node].country = builder.nodes[parent].country;
            builder.edge(node, parent, EdgeKind::Admin, FULL);
            builder.by_division.insert(row[2].clone(), node);
            if kind == Kind::County
                && let Some(short) = without_type(&row[0])
            {
                builder.name(node, &short, NameKind::Short);
            }
            for alias in row[5].split('|') {
                let spanish = alias.starts_with("Condado ")
                    || alias.starts_with("Parroquia ")
                    || alias.starts_with("Área ")
                    || alias.starts_with("Borough de");
                if alias.len() >= 4 && !(united_states && kind == Kind::County && spanish) {
                    builder.name(node, alias, NameKind::Alternate);
                }
            }
            if kind == Kind::State && !row[1].is_empty() {
                builder.code(node, format!("iso:{}", row[1]))?;
                builder.by_iso.insert(row[1].clone(), node);
                if matches!(&row[1][..3], "US-" | "CA-" | "AU-") {
                    builder.name(node, &row[1][3..], NameKind::Code);
                }
            }
        }
    }
    Ok(())
}

fn add_abbreviations(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    for row in sources.own("admin_abbreviations.tsv")? {
        let Some(&node) = builder.by_iso.get(&row[0]) else {
            return Err(format!(
                "admin_abbreviations.tsv: {} is no division",
                row[0]
            ));
        };
        builder.names(node, &row[1], NameKind::Alternate);
        builder.names(node, &row[2], NameKind::Demonym);
    }
    for row in sources.shared("us_state_aliases_curated.tsv")? {
        let node = builder.state(&row[0])?;
        if row[1] != builder.nodes[node].name {
            builder.names(node, &row[1], NameKind::Abbreviation);
        }
        builder.names(
            node,
            &row[2].replace(", D.C.", " D.C."),
            NameKind::Alternate,
        );
        builder.names(node, &row[3], NameKind::Nickname);
        builder.names(node, &row[4], NameKind::Demonym);
        if !row[4].is_empty() {
            builder.names(node, &format!("{}s", row[4]), NameKind::Demonym);
        }
        if builder.nodes[node].kind == Kind::Country {
            builder.name(node, &row[0], NameKind::Code);
        }
    }
    Ok(())
}

/// Type words behind a division's name.
const TYPE_WORDS: &[&str] = &[
    " County",
    " Parish",
    " Borough",
    " Census Area",
    " Municipality",
    " City and Borough",
    " Municipio",
    " Planning Region",
    " District",
    " Province",
    " Prefecture",
    " Department",
    " Region",
    " city",
];

/// The name without its type word.
pub fn without_type(name: &str) -> Option<String> {
    TYPE_WORDS
        .iter()
        .find_map(|word| name.strip_suffix(word))
        .filter(|short| fold(short).len() >= 3)
        .map(str::to_owned)
}

/// A decimal number.
pub fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a number"))
}
