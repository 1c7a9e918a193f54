//! Embeddings and scores of the same servers.

use serde_json::{Value, json};

use super::{Call, Unread, list};
use crate::chat::Provider;
use crate::embed::TextRole;

/// Texts to be made vectors; `None` where the provider makes none.
pub(in crate::chat) fn embedding_call(
    provider: Provider,
    model: &str,
    texts: &[&str],
    role: TextRole,
) -> Option<Call> {
    let input = json!({"model": model, "input": texts});
    let (path, body) = match provider {
        Provider::OpenAi => ("/v1/embeddings".to_owned(), input),
        Provider::Ollama => ("/api/embed".to_owned(), input),
        Provider::Gemini => {
            let task = match role {
                TextRole::Query => "RETRIEVAL_QUERY",
                TextRole::Passage => "RETRIEVAL_DOCUMENT",
            };
            let each: Value = texts
                .iter()
                .map(|text| {
                    json!({
                        "model": format!("models/{model}"),
                        "content": {"parts": [{"text": text}]},
                        "taskType": task,
                    })
                })
                .collect();
            let path = format!("/v1beta/models/{model}:batchEmbedContents");
            (path, json!({"requests": each}))
        }
        Provider::Anthropic => return None,
    };
    Some(Call { path, body })
}

/// The vectors that a server sent, in the order of `count` texts.
pub(in crate::chat) fn read_vectors(
    provider: Provider,
    sent: &Value,
    count: usize,
) -> Result<Vec<Vec<f32>>, Unread> {
    let (at, inner) = match provider {
        Provider::OpenAi | Provider::Anthropic => ("/data", Some("embedding")),
        Provider::Gemini => ("/embeddings", Some("values")),
        Provider::Ollama => ("/embeddings", None),
    };
    let items = list(sent, at)?;
    if items.len() != count {
        let found = items.len();
        return Err(Unread::Form(format!("{found} vectors for {count} texts")));
    }
    let mut vectors = vec![Vec::new(); count];
    for (position, item) in items.iter().enumerate() {
        let place = index(item, position);
        let numbers = inner.map_or(Some(item), |key| item.get(key));
        let vector = numbers.and_then(Value::as_array).and_then(|numbers| {
            let each = numbers.iter().map(|n| n.as_f64().map(|n| n as f32));
            each.collect::<Option<Vec<f32>>>()
        });
        match (vectors.get_mut(place), vector) {
            (Some(free), Some(vector)) if free.is_empty() && !vector.is_empty() => *free = vector,
            _ => return Err(Unread::Form(format!("item {position} is no new vector"))),
        }
    }
    let length = vectors.first().map_or(0, Vec::len);
    match vectors.iter().all(|vector| vector.len() == length) {
        true => Ok(vectors),
        false => Err(Unread::Form("vectors of several lengths".to_owned())),
    }
}

/// Passages to be scored; only the protocol that llama-server, Jina and others share has this.
pub(in crate::chat) fn rerank_call(
    provider: Provider,
    model: &str,
    question: &str,
    passages: &[&str],
) -> Option<Call> {
    (provider == Provider::OpenAi).then(|| Call {
        path: "/v1/rerank".to_owned(),
        body: json!({"model": model, "query": question, "documents": passages}),
    })
}

/// The scores that a server sent, in the order of `count` passages.
pub(in crate::chat) fn read_scores(sent: &Value, count: usize) -> Result<Vec<f32>, Unread> {
    let mut scores: Vec<Option<f32>> = vec![None; count];
    for (position, item) in list(sent, "/results")?.iter().enumerate() {
        let score = item["relevance_score"].as_f64().map(|score| score as f32);
        match scores.get_mut(index(item, position)) {
            Some(free @ None) if score.is_some() => *free = score,
            _ => return Err(Unread::Form(format!("item {position} is no new score"))),
        }
    }
    let whole: Option<Vec<f32>> = scores.into_iter().collect();
    whole.ok_or_else(|| Unread::Form(format!("fewer scores than {count} passages")))
}

/// The text that an item belongs to, which is its position where it does not say.
fn index(item: &Value, position: usize) -> usize {
    item.get("index")
        .and_then(Value::as_u64)
        .and_then(|index| usize::try_from(index).ok())
        .unwrap_or(position)
}
