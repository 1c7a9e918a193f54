//! GeoJSON: shapes with properties, longitude first (RFC 7946).

use std::collections::BTreeMap;

use lahar_core::series::{Feature, Property, Shape};
use serde_json::{Map, Value, json};

use crate::error::FormatError;

const FORMAT: &str = "GeoJSON";

fn wrong(place: &str, why: &str) -> FormatError {
    FormatError::Malformed {
        format: FORMAT,
        place: place.to_owned(),
        why: why.to_owned(),
    }
}

/// Reads a collection of features, one feature, or a bare geometry.
///
/// Heights are left out. Properties that are lists or objects are kept as their JSON text.
///
/// ```
/// use lahar_core::series::Shape;
/// let text = r#"{"type": "Feature", "properties": {"name": "outlet"},
///     "geometry": {"type": "Point", "coordinates": [-119.64, 34.44, 12]}}"#;
/// let features = lahar_formats::geojson::read(text).unwrap();
/// assert_eq!(features[0].shape, Some(Shape::Point([-119.64, 34.44])));
/// ```
pub fn read(text: &str) -> Result<Vec<Feature>, FormatError> {
    let value: Value = serde_json::from_str(text).map_err(|e| wrong("text", &e.to_string()))?;
    match value.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => {
            let list = value.get("features").and_then(Value::as_array);
            let list = list.ok_or_else(|| wrong("features", "it is no list"))?;
            list.iter()
                .enumerate()
                .map(|(at, value)| feature(value, &format!("feature {at}")))
                .collect()
        }
        Some("Feature") => Ok(vec![feature(&value, "feature")?]),
        Some(_) => {
            let shape = Some(shape(&value, "geometry", 0)?);
            Ok(vec![Feature {
                shape,
                properties: BTreeMap::new(),
            }])
        }
        None => Err(wrong("type", "it is missing")),
    }
}

fn feature(value: &Value, place: &str) -> Result<Feature, FormatError> {
    if value.get("type").and_then(Value::as_str) != Some("Feature") {
        return Err(wrong(place, "its type is not Feature"));
    }
    let shape = match value.get("geometry") {
        None | Some(Value::Null) => None,
        Some(geometry) => Some(shape(geometry, place, 0)?),
    };
    let empty = Map::new();
    let properties = match value.get("properties") {
        None | Some(Value::Null) => &empty,
        Some(Value::Object(map)) => map,
        Some(_) => return Err(wrong(place, "its properties are no object")),
    };
    let property = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::Null => Property::Missing,
            Value::Bool(flag) => Property::Flag(*flag),
            Value::Number(number) => number.as_f64().map_or(Property::Missing, Property::Number),
            Value::String(text) => Property::Text(text.clone()),
            other => Property::Text(other.to_string()),
        };
        (name.clone(), value)
    };
    Ok(Feature {
        shape,
        properties: properties.iter().map(property).collect(),
    })
}

/// Collections inside collections, at most this deep.
const DEEPEST: usize = 8;

fn shape(value: &Value, place: &str, depth: usize) -> Result<Shape, FormatError> {
    if depth > DEEPEST {
        return Err(wrong(place, "geometries are nested too deep"));
    }
    let kind = value
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if kind == "GeometryCollection" {
        let list = value.get("geometries").and_then(Value::as_array);
        let list = list.ok_or_else(|| wrong(place, "a collection has no geometries"))?;
        let shapes = list.iter().map(|value| shape(value, place, depth + 1));
        return shapes.collect::<Result<_, _>>().map(Shape::Many);
    }
    let coordinates = value.get("coordinates").ok_or_else(|| {
        wrong(
            place,
            &format!("a geometry of type `{kind}` has no coordinates"),
        )
    })?;
    let many = |read: &dyn Fn(&Value) -> Result<Shape, FormatError>| {
        let list = coordinates
            .as_array()
            .ok_or_else(|| wrong(place, "coordinates are no list"))?;
        list.iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map(Shape::Many)
    };
    match kind {
        "Point" => point(coordinates, place).map(Shape::Point),
        "LineString" => line(coordinates, place, 2).map(Shape::Line),
        "Polygon" => polygon(coordinates, place),
        "MultiPoint" => many(&|value| point(value, place).map(Shape::Point)),
        "MultiLineString" => many(&|value| line(value, place, 2).map(Shape::Line)),
        "MultiPolygon" => many(&|value| polygon(value, place)),
        _ => Err(wrong(place, &format!("`{kind}` is no type of geometry"))),
    }
}

fn point(value: &Value, place: &str) -> Result<[f64; 2], FormatError> {
    let pair = value.as_array().filter(|list| list.len() >= 2);
    let pair = pair.ok_or_else(|| wrong(place, "a position needs two numbers"))?;
    let number = |value: &Value| {
        value
            .as_f64()
            .ok_or_else(|| wrong(place, "a coordinate is no number"))
    };
    Ok([number(&pair[0])?, number(&pair[1])?])
}

fn line(value: &Value, place: &str, least: usize) -> Result<Vec<[f64; 2]>, FormatError> {
    let list = value.as_array().filter(|list| list.len() >= least);
    let list =
        list.ok_or_else(|| wrong(place, &format!("a line needs {least} positions or more")))?;
    list.iter().map(|value| point(value, place)).collect()
}

fn polygon(value: &Value, place: &str) -> Result<Shape, FormatError> {
    let rings = value
        .as_array()
        .ok_or_else(|| wrong(place, "a polygon has no rings"))?;
    let ring = |value: &Value| {
        let ring = line(value, place, 4)?;
        if ring.first() != ring.last() {
            return Err(wrong(place, "a ring does not end where it begins"));
        }
        Ok(ring)
    };
    rings
        .iter()
        .map(ring)
        .collect::<Result<_, _>>()
        .map(Shape::Polygon)
}

/// Writes a collection of features.
pub fn write(features: &[Feature]) -> String {
    let property = |value: &Property| match value {
        Property::Flag(flag) => json!(flag),
        Property::Number(number) => json!(number),
        Property::Text(text) => json!(text),
        Property::Missing => Value::Null,
    };
    let features: Vec<Value> = features
        .iter()
        .map(|feature| {
            let properties: Map<String, Value> = feature
                .properties
                .iter()
                .map(|(k, v)| (k.clone(), property(v)))
                .collect();
            json!({
                "type": "Feature",
                "geometry": feature.shape.as_ref().map(geometry),
                "properties": properties,
            })
        })
        .collect();
    json!({"type": "FeatureCollection", "features": features}).to_string()
}

fn geometry(shape: &Shape) -> Value {
    match shape {
        Shape::Point(point) => json!({"type": "Point", "coordinates": point}),
        Shape::Line(points) => json!({"type": "LineString", "coordinates": points}),
        Shape::Polygon(rings) => json!({"type": "Polygon", "coordinates": rings}),
        Shape::Many(shapes) => {
            let geometries: Vec<Value> = shapes.iter().map(geometry).collect();
            json!({"type": "GeometryCollection", "geometries": geometries})
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_survive_a_file() {
        let text = r#"{"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"class": 2, "name": "A", "burned": true, "x": null},
             "geometry": {"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,0]]]}},
            {"type": "Feature", "properties": null, "geometry": null},
            {"type": "Feature", "properties": {}, "geometry":
             {"type": "MultiPoint", "coordinates": [[0,0],[1,2]]}}]}"#;
        let features = read(text).unwrap();
        assert_eq!(features.len(), 3);
        assert_eq!(features[0].properties["class"], Property::Number(2.0));
        assert_eq!(read(&write(&features)).unwrap(), features);
    }

    #[test]
    fn what_is_no_shape_is_named() {
        for (text, part) in [
            ("{", "text"),
            ("{}", "type"),
            (r#"{"type": "Circle", "coordinates": []}"#, "Circle"),
            (r#"{"type": "Point", "coordinates": [1]}"#, "two numbers"),
            (
                r#"{"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[2,2]]]}"#,
                "end where",
            ),
            (r#"{"type": "FeatureCollection"}"#, "features"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        let mut deep = String::from(r#"{"type": "Point", "coordinates": [1, 2]}"#);
        for _ in 0..12 {
            deep = format!(r#"{{"type": "GeometryCollection", "geometries": [{deep}]}}"#);
        }
        assert!(read(&deep).unwrap_err().to_string().contains("too deep"));
    }
}
