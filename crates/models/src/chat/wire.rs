//! What the four kinds of servers are sent, and how their replies are read. Values only: nothing
//! here knows of connections.

use serde_json::{Value, json};

use super::{ChatRequest, Message, Provider, Reply, Speaker};

mod vectors;

pub(super) use vectors::{embedding_call, read_scores, read_vectors, rerank_call};

/// One call of a server.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// Behind the server's address.
    pub path: String,
    /// JSON to send.
    pub body: Value,
}

/// What is the same for every request to a model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form<'s> {
    pub provider: Provider,
    pub model: &'s str,
    /// `None` sends none, for models that accept none.
    pub temperature: Option<f32>,
    /// The most tokens of the reply.
    pub longest_reply: u64,
    /// Whether the server is OpenAI's own, which has renamed a field.
    pub at_openai: bool,
}

/// Why a reply was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// It ended at the limit of its length.
    CutShort,
    /// It has not the form of the protocol.
    Form(String),
}

fn role(speaker: Speaker, model: &'static str) -> &'static str {
    match speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Model => model,
    }
}

/// What the model is told about its part, and the conversation without it.
fn apart(messages: &[Message]) -> (String, impl Iterator<Item = &Message>) {
    let part: Vec<&str> = messages
        .iter()
        .filter(|message| message.speaker == Speaker::System)
        .map(|message| message.text.as_str())
        .collect();
    let rest = messages.iter().filter(|m| m.speaker != Speaker::System);
    (part.join("\n\n"), rest)
}

fn with_role(messages: &[Message]) -> Value {
    let each = messages.iter().map(
        |message| json!({"role": role(message.speaker, "assistant"), "content": message.text}),
    );
    each.collect()
}

/// A question as a server takes it.
pub(super) fn chat_call(form: &Form<'_>, request: &ChatRequest<'_>) -> Call {
    match form.provider {
        Provider::OpenAi => openai(form, request),
        Provider::Anthropic => anthropic(form, request),
        Provider::Gemini => gemini(form, request),
        Provider::Ollama => ollama(form, request),
    }
}

fn openai(form: &Form<'_>, request: &ChatRequest<'_>) -> Call {
    let mut body = json!({
        "model": form.model,
        "messages": with_role(request.messages),
        "stream": false,
    });
    let limit = match form.at_openai {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    body[limit] = json!(form.longest_reply);
    if let Some(temperature) = form.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(schema) = request.schema {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {"name": schema.name, "schema": schema.json},
        });
    }
    Call {
        path: "/v1/chat/completions".to_owned(),
        body,
    }
}

/// A form is asked for as the input of a tool that must be used.
fn anthropic(form: &Form<'_>, request: &ChatRequest<'_>) -> Call {
    let (part, rest) = apart(request.messages);
    let messages: Value = rest
        .map(|message| json!({"role": role(message.speaker, "assistant"), "content": message.text}))
        .collect();
    let mut body = json!({
        "model": form.model,
        "max_tokens": form.longest_reply,
        "messages": messages,
    });
    if !part.is_empty() {
        body["system"] = json!(part);
    }
    if let Some(temperature) = form.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(schema) = request.schema {
        body["tools"] = json!([{
            "name": schema.name,
            "description": "Takes the answer.",
            "input_schema": schema.json,
        }]);
        body["tool_choice"] = json!({"type": "tool", "name": schema.name});
    }
    Call {
        path: "/v1/messages".to_owned(),
        body,
    }
}

fn gemini(form: &Form<'_>, request: &ChatRequest<'_>) -> Call {
    let (part, rest) = apart(request.messages);
    let contents: Value = rest
        .map(|m| json!({"role": role(m.speaker, "model"), "parts": [{"text": m.text}]}))
        .collect();
    let mut settings = json!({"maxOutputTokens": form.longest_reply});
    if let Some(temperature) = form.temperature {
        settings["temperature"] = json!(temperature);
    }
    if let Some(schema) = request.schema {
        settings["responseMimeType"] = json!("application/json");
        settings["responseJsonSchema"] = schema.json.clone();
    }
    let mut body = json!({"contents": contents, "generationConfig": settings});
    if !part.is_empty() {
        body["systemInstruction"] = json!({"parts": [{"text": part}]});
    }
    Call {
        path: format!("/v1beta/models/{}:generateContent", form.model),
        body,
    }
}

fn ollama(form: &Form<'_>, request: &ChatRequest<'_>) -> Call {
    let mut options = json!({"num_predict": form.longest_reply});
    if let Some(temperature) = form.temperature {
        options["temperature"] = json!(temperature);
    }
    let mut body = json!({
        "model": form.model,
        "messages": with_role(request.messages),
        "stream": false,
        "options": options,
    });
    if let Some(schema) = request.schema {
        body["format"] = schema.json.clone();
    }
    Call {
        path: "/api/chat".to_owned(),
        body,
    }
}

/// The reply in what a server sent.
pub(super) fn read_chat(provider: Provider, sent: &Value) -> Result<Reply, Unread> {
    let (text, ended, tokens_in, tokens_out) = match provider {
        Provider::OpenAi => (
            words(sent, "/choices/0/message/content")?,
            sent.pointer("/choices/0/finish_reason"),
            "/usage/prompt_tokens",
            "/usage/completion_tokens",
        ),
        Provider::Anthropic => (
            anthropic_words(sent)?,
            sent.get("stop_reason"),
            "/usage/input_tokens",
            "/usage/output_tokens",
        ),
        Provider::Gemini => (
            gemini_words(sent)?,
            sent.pointer("/candidates/0/finishReason"),
            "/usageMetadata/promptTokenCount",
            "/usageMetadata/candidatesTokenCount",
        ),
        Provider::Ollama => (
            words(sent, "/message/content")?,
            sent.get("done_reason"),
            "/prompt_eval_count",
            "/eval_count",
        ),
    };
    if ended.is_some_and(|ended| {
        ["length", "max_tokens", "MAX_TOKENS"]
            .iter()
            .any(|word| ended == word)
    }) {
        return Err(Unread::CutShort);
    }
    let count = |at: &str| sent.pointer(at).and_then(Value::as_u64);
    Ok(Reply {
        text,
        tokens_in: count(tokens_in),
        tokens_out: count(tokens_out),
    })
}

/// The words at a place; `null` is none.
fn words(sent: &Value, at: &str) -> Result<String, Unread> {
    match sent.pointer(at) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Null) => Ok(String::new()),
        _ => Err(Unread::Form(format!("there is no text at {at}"))),
    }
}

fn list<'v>(sent: &'v Value, at: &str) -> Result<&'v Vec<Value>, Unread> {
    let found = sent.pointer(at).and_then(Value::as_array);
    found.ok_or_else(|| Unread::Form(format!("there is no list at {at}")))
}

fn anthropic_words(sent: &Value) -> Result<String, Unread> {
    let blocks = list(sent, "/content")?;
    // The answer in a form is the input of the tool, whatever is said beside it.
    if let Some(input) = blocks.iter().find_map(|block| block.get("input")) {
        return Ok(input.to_string());
    }
    let texts = blocks.iter().filter_map(|block| block["text"].as_str());
    Ok(texts.collect())
}

fn gemini_words(sent: &Value) -> Result<String, Unread> {
    let candidate = list(sent, "/candidates")?.first();
    let parts = candidate.and_then(|candidate| candidate.pointer("/content/parts"));
    let parts = parts.and_then(Value::as_array);
    let texts = parts
        .into_iter()
        .flatten()
        .filter_map(|p| p["text"].as_str());
    Ok(texts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::Schema;

    fn form(provider: Provider) -> Form<'static> {
        Form {
            provider,
            model: "m",
            temperature: Some(0.0),
            longest_reply: 64,
            at_openai: false,
        }
    }

    #[test]
    fn every_protocol_carries_part_words_limit_and_form() {
        let messages = [
            Message::new(Speaker::System, "PART"),
            Message::new(Speaker::User, "ASKED"),
            Message::new(Speaker::Model, "SAID"),
            Message::new(Speaker::User, "AGAIN"),
        ];
        let schema = Schema {
            name: "form",
            json: json!({"type": "object", "title": "WANTED"}),
        };
        let request = ChatRequest {
            messages: &messages,
            schema: Some(&schema),
        };
        for provider in Provider::ALL {
            let call = chat_call(&form(provider), &request);
            let text = call.body.to_string();
            for word in [
                "PART",
                "ASKED",
                "SAID",
                "AGAIN",
                "WANTED",
                "64",
                "temperature",
            ] {
                assert!(text.contains(word), "{provider} lacks {word}: {text}");
            }
            let free = ChatRequest {
                schema: None,
                ..request
            };
            let free = chat_call(&form(provider), &free).body.to_string();
            assert!(!free.contains("WANTED"));
        }
        let gemini = chat_call(&form(Provider::Gemini), &request);
        assert_eq!(gemini.path, "/v1beta/models/m:generateContent");
        assert_eq!(gemini.body["contents"][1]["role"], "model");
        let anthropic = chat_call(&form(Provider::Anthropic), &request);
        assert_eq!(anthropic.body["system"], "PART");
        assert_eq!(anthropic.body["messages"][0]["role"], "user");
    }

    #[test]
    fn every_protocol_s_reply_is_read() {
        let replies = [
            (
                Provider::OpenAi,
                json!({"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}],
                       "usage": {"prompt_tokens": 3, "completion_tokens": 1}}),
            ),
            (
                Provider::Anthropic,
                json!({"content": [{"type": "text", "text": "yes"}], "stop_reason": "end_turn",
                       "usage": {"input_tokens": 3, "output_tokens": 1}}),
            ),
            (
                Provider::Gemini,
                json!({"candidates": [{"content": {"parts": [{"text": "yes"}]}, "finishReason": "STOP"}],
                       "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 1}}),
            ),
            (
                Provider::Ollama,
                json!({"message": {"content": "yes"}, "done_reason": "stop",
                       "prompt_eval_count": 3, "eval_count": 1}),
            ),
        ];
        for (provider, sent) in replies {
            let reply = read_chat(provider, &sent).unwrap();
            assert_eq!(reply.text, "yes");
            assert_eq!((reply.tokens_in, reply.tokens_out), (Some(3), Some(1)));
            let cut = sent
                .to_string()
                .replace("end_turn", "max_tokens")
                .replace("\"stop\"", "\"length\"")
                .replace("STOP", "MAX_TOKENS");
            let cut = read_chat(provider, &serde_json::from_str(&cut).unwrap());
            assert_eq!(cut, Err(Unread::CutShort), "{provider}");
            let other = read_chat(provider, &json!({"hello": 1}));
            assert!(matches!(other, Err(Unread::Form(_))), "{provider}");
        }
        let tool = json!({"content": [{"type": "text", "text": "Well."},
                                      {"type": "tool_use", "input": {"a": 1}}]});
        let reply = read_chat(Provider::Anthropic, &tool).unwrap();
        assert_eq!(reply.text, r#"{"a":1}"#);
    }
}
