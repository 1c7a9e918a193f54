//! Replies read into types, with one repair.

use serde::de::DeserializeOwned;

use super::{ChatError, ChatModel, Message, Schema, Speaker};
use crate::ModelError;

/// Characters of an unreadable reply that are shown to the model again.
const SHOWN_AGAIN: usize = 2_000;

/// A value out of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structured<T> {
    /// The value.
    pub value: T,
    /// What was wrong with the first reply, where a second one was needed.
    pub repaired: Option<String>,
}

/// Asks for a value of a type. JSON is looked for in the reply, with prose or a fence around it or
/// without; a reply that cannot be read is shown to the model once more with the reason, and a
/// second such reply is [`ChatError::Unreadable`].
///
/// ```
/// use lahar_models::chat::{Message, Schema, ScriptedChat, Speaker, structured};
/// let schema = Schema {
///     name: "sufficiency",
///     json: serde_json::json!({"type": "object", "properties": {"sufficient": {"type": "boolean"}}}),
/// };
/// #[derive(serde::Deserialize)]
/// struct Sufficiency {
///     sufficient: bool,
/// }
/// let model = ScriptedChat::new(["Certainly!", r#"Here: {"sufficient": true}."#]);
/// let ask = [Message::new(Speaker::User, "Is it enough?")];
/// let read = structured::<Sufficiency>(&model, &ask, &schema).unwrap();
/// assert!(read.value.sufficient && read.repaired.is_some());
/// ```
pub fn structured<T: DeserializeOwned>(
    model: &dyn ChatModel,
    messages: &[Message],
    schema: &Schema,
) -> Result<Structured<T>, ModelError> {
    let first = model.reply_in(messages, schema)?;
    let wrong = match read::<T>(&first) {
        Ok(value) => {
            return Ok(Structured {
                value,
                repaired: None,
            });
        }
        Err(wrong) => wrong,
    };
    let shown: String = first.chars().take(SHOWN_AGAIN).collect();
    let mut again = messages.to_vec();
    again.push(Message::new(Speaker::Model, shown));
    again.push(Message::new(
        Speaker::User,
        format!(
            "That reply cannot be read: {wrong}. Answer again, with one JSON value and nothing \
             else, of this JSON schema: {}",
            schema.json
        ),
    ));
    let second = model.reply_in(&again, schema)?;
    match read(&second) {
        Ok(value) => Ok(Structured {
            value,
            repaired: Some(wrong),
        }),
        Err(reason) => Err(ChatError::Unreadable {
            model: model.name().to_owned(),
            reason,
        }
        .into()),
    }
}

/// The first JSON object or array in a text that can be read into the type.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Ok(value) = serde_json::from_str(text.trim()) {
        return Ok(value);
    }
    let mut wrong = None;
    let mut after = 0;
    for (start, _) in text.match_indices(['{', '[']) {
        // What lies inside a value that was refused is not another value.
        if start < after {
            continue;
        }
        let mut values =
            serde_json::Deserializer::from_str(&text[start..]).into_iter::<serde_json::Value>();
        match values.next() {
            Some(Ok(value)) => {
                after = start + values.byte_offset();
                match T::deserialize(value) {
                    Ok(value) => return Ok(value),
                    Err(error) => wrong = wrong.or(Some(format!("its JSON does not fit: {error}"))),
                }
            }
            Some(Err(error)) if error.is_eof() => {
                return Err(wrong.unwrap_or_else(|| "its JSON ends too early".to_owned()));
            }
            _ => {}
        }
    }
    Err(wrong.unwrap_or_else(|| "it holds no JSON".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::collections::BTreeMap;

    type Numbers = BTreeMap<String, f64>;

    #[test]
    fn json_is_found_in_prose_and_fences() {
        let wanted: Numbers = [("flood".to_owned(), 0.5)].into();
        for text in [
            r#"{"flood": 0.5}"#,
            "```json\n{\"flood\": 0.5}\n```",
            r#"[note] I think {"flood": 0.5} fits, {"flood": 1}."#,
            r#"{not json} {"flood": 0.5}"#,
        ] {
            assert_eq!(read::<Numbers>(text).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text| read::<Numbers>(text).unwrap_err();
        assert_eq!(wrong("  "), "it is empty");
        assert_eq!(wrong("The flood was severe."), "it holds no JSON");
        assert_eq!(wrong(r#"{"flood": 0."#), "its JSON ends too early");
        assert!(wrong(r#"{"hazard": "flood"}"#).starts_with("its JSON does not fit"));
        assert!(wrong(r#"{"outer": {"flood": 1}}"#).starts_with("its JSON does not fit"));
    }
}
