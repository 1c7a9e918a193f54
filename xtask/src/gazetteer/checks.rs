//! Checks before anything is written: the traps of the sources, and the shape of the graph.

use lahar_places::fold;
use lahar_places::kind::{EdgeKind, Kind};

use super::builder::Builder;

/// Every check; the first one that fails stops the build.
pub fn check(builder: &Builder) -> Result<(), String> {
    acyclic(builder)?;
    reaches_a_country(builder)?;
    census_parents(builder)?;
    states_have_no_direct_edge(builder)
}

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
