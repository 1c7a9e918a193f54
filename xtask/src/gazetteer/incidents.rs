//! Named events: fires, hurricanes, earthquakes, floods and others, with places and dates.

use lahar_places::blob::FULL;
use lahar_places::fold;
use lahar_places::kind::{EdgeKind, Kind, NameKind};

use super::Sources;
use super::builder::Builder;

/// Adds every incident as a node of its own below the units it touched.
pub fn add(builder: &mut Builder, sources: &Sources) -> Result<(), String> {
    for row in sources.shared("named_incidents.tsv")? {
        let [
            name,
            aliases,
            hazard,
            start,
            end,
            countries,
            states,
            _places,
            fips,
            confidence,
            note,
        ] = &row[..]
        else {
            return Err(format!(
                "named_incidents.tsv: eleven cells are needed: {row:?}"
            ));
        };
        let node = builder.node(name, Kind::Event);
        let year = start.get(..4).unwrap_or("");
        let slug = if year.is_empty() || name.contains(year) {
            name.clone()
        } else {
            format!("{name} {year}")
        };
        builder.slug(node, "event", &slug)?;
        builder.names(node, aliases, NameKind::Alternate);
        let mut units = Vec::new();
        for code in list(fips) {
            units.push(builder.county(code)?);
        }
        if units.is_empty() {
            units = divisions(builder, countries, states);
        }
        if units.is_empty() {
            units = list(countries)
                .filter_map(|iso| builder.by_iso.get(iso).copied())
                .collect();
        }
        for unit in &units {
            builder.edge(
                node,
                *unit,
                EdgeKind::Spans,
                if units.len() == 1 { FULL } else { FULL / 2 },
            );
            builder.nodes[node].extent.push((*unit, FULL / 4));
        }
        if let Some(unit) = units.first() {
            builder.nodes[node].country = builder.nodes[*unit].country;
        }
        builder.nodes[node].event = Some(
            [hazard, start, end, confidence, note]
                .map(String::as_str)
                .join("\t"),
        );
    }
    Ok(())
}

fn list(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('|')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// First-level divisions by name within the countries of the event.
fn divisions(builder: &Builder, countries: &str, states: &str) -> Vec<usize> {
    let countries: Vec<usize> = list(countries)
        .filter_map(|iso| builder.by_iso.get(iso).copied())
        .collect();
    list(states)
        .filter_map(|name| {
            builder
                .names
                .get(&fold(name))?
                .iter()
                .map(|(node, _)| *node)
                .find(|node| {
                    builder.nodes[*node].kind == Kind::State
                        && countries.contains(&builder.nodes[*node].country)
                })
        })
        .collect()
}
