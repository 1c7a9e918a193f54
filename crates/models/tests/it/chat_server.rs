//! The HTTP client against a server on loopback that behaves, misbehaves, and writes down what it
//! was sent.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lahar_models::chat::{
    ChatError, ChatModel, Client, Key, Message, Provider, RemoteChat, RemoteEmbedder,
    RemoteReranker, RemoteSettings, Retries, Schema, ScoreScale, Speaker, structured,
};
use lahar_models::{Embedder, ModelError, Reranker, TextRole};

const SECRET: &str = "sk-do-not-print-me";
const ONCE: Retries = Retries {
    attempts: 1,
    first_wait: Duration::ZERO,
    longest_wait: Duration::ZERO,
};

/// What a server does with one connection, after it has read the request.
type Act = Box<dyn Fn(&mut TcpStream) + Send>;

/// A server that meets the first connection with the first act, and so on; the last for ever.
/// Gives its address and what it was sent.
fn server(acts: Vec<Act>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for (count, stream) in listener.incoming().enumerate() {
            let Ok(mut stream) = stream else { return };
            let Some(request) = read_request(&mut stream) else {
                continue;
            };
            if sender.send(request).is_err() {
                return;
            }
            acts[count.min(acts.len() - 1)](&mut stream);
        }
    });
    (address, receiver)
}

fn read_request(stream: &mut TcpStream) -> Option<String> {
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                (name.eq_ignore_ascii_case("content-length"))
                    .then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
        }
    }
}

fn answering(status: u16, headers: &str, body: impl Into<String>) -> Act {
    let body = body.into();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n",
        body.len()
    );
    Box::new(move |stream| {
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body.as_bytes());
    })
}

/// A reply of OpenAI's protocol.
fn saying(text: &str) -> Act {
    let body = serde_json::json!({
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2},
    });
    answering(200, "content-type: application/json\r\n", body.to_string())
}

fn settings(address: &str) -> RemoteSettings {
    RemoteSettings {
        address: Some(address.to_owned()),
        key: Some(Key::new(SECRET).unwrap()),
        time: Duration::from_secs(2),
        largest_reply: 1 << 20,
        ..RemoteSettings::new(Provider::OpenAi, "test-model")
    }
}

fn client(address: &str) -> Client {
    Client::new(RemoteChat::new(settings(address)).unwrap()).with_retries(ONCE)
}

fn question() -> [Message; 1] {
    [Message::new(Speaker::User, "Is the levee safe?")]
}

/// The error of one question to a server that does this, which must not hold the key.
fn error_of(act: Act) -> ChatError {
    let (address, _kept) = server(vec![act]);
    let error = client(&address).reply(&question()).unwrap_err();
    let ModelError::Chat(error) = error else {
        panic!("{error}");
    };
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(SECRET), "{shown}");
    error
}

#[test]
fn a_question_goes_out_and_its_reply_comes_back() {
    let (address, sent) = server(vec![saying("It is.")]);
    let client = client(&address);
    assert_eq!(client.reply(&question()).unwrap(), "It is.");
    let used = client.used();
    assert_eq!((used.calls, used.tokens_in, used.tokens_out), (1, 7, 2));
    let sent = sent.recv().unwrap();
    assert!(sent.starts_with("POST /v1/chat/completions HTTP/1.1"));
    assert!(sent.contains(&format!("Bearer {SECRET}")));
    assert!(sent.contains("Is the levee safe?"));
}

#[test]
fn each_provider_is_asked_where_it_listens_and_with_its_own_header() {
    let schema = Schema {
        name: "number",
        json: serde_json::json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
    };
    #[derive(serde::Deserialize)]
    struct Number {
        n: u8,
    }
    let cases = [
        (
            Provider::OpenAi,
            "POST /v1/chat/completions",
            "authorization: bearer ",
            r#"{"choices": [{"message": {"content": "{\"n\": 3}"}}]}"#,
        ),
        (
            Provider::Anthropic,
            "POST /v1/messages",
            "x-api-key: ",
            r#"{"content": [{"type": "tool_use", "input": {"n": 3}}]}"#,
        ),
        (
            Provider::Gemini,
            "POST /v1beta/models/test-model:generateContent",
            "x-goog-api-key: ",
            r#"{"candidates": [{"content": {"parts": [{"text": "{\"n\": 3}"}]}}]}"#,
        ),
        (
            Provider::Ollama,
            "POST /api/chat",
            "authorization: bearer ",
            r#"{"message": {"content": "{\"n\": 3}"}}"#,
        ),
    ];
    for (provider, path, header, body) in cases {
        let (address, sent) = server(vec![answering(200, "", body)]);
        let settings = RemoteSettings {
            provider,
            ..settings(&address)
        };
        let client = Client::new(RemoteChat::new(settings).unwrap());
        let read = structured::<Number>(&client, &question(), &schema).unwrap();
        assert_eq!((read.value.n, read.repaired), (3, None), "{provider}");
        let sent = sent.recv().unwrap();
        assert!(sent.starts_with(path), "{provider}: {sent}");
        let key = format!("{header}{SECRET}");
        assert!(sent.to_lowercase().contains(&key), "{provider}: {sent}");
        assert!(!sent.lines().next().unwrap().contains(SECRET));
    }
}

#[test]
fn statuses_are_named_and_their_words_kept_short() {
    let echo = |status| error_of(answering(status, "", format!("your key {SECRET} is bad")));
    for status in [401, 403] {
        assert!(matches!(echo(status), ChatError::KeyRefused { status: s, .. } if s == status));
    }
    assert!(matches!(
        echo(429),
        ChatError::TooManyRequests { seconds: None, .. }
    ));
    let error = error_of(answering(429, "retry-after: 12\r\n", ""));
    assert_eq!(error.retry_after(), Some(12));
    let ChatError::ServerFailed {
        status: 500, said, ..
    } = echo(500)
    else {
        panic!();
    };
    assert_eq!(said, "your key (key) is bad");
    let ChatError::Refused {
        status: 404, said, ..
    } = error_of(answering(404, "", "x".repeat(5000)))
    else {
        panic!();
    };
    assert_eq!(said.len(), 200);
}

#[test]
fn a_redirect_is_not_followed_with_the_key() {
    let (elsewhere, reached) = server(vec![saying("stolen")]);
    let header = format!("location: {elsewhere}/v1/chat/completions\r\n");
    let error = error_of(answering(307, &header, ""));
    assert!(
        matches!(error, ChatError::Refused { status: 307, .. }),
        "{error}"
    );
    assert!(reached.recv_timeout(Duration::from_millis(200)).is_err());
}

#[test]
fn replies_of_no_protocol_are_named() {
    for body in ["Hello!", "<html></html>", "", r#"{"choices": [{"mess"#] {
        let error = error_of(answering(200, "", body));
        let ChatError::Protocol { reason, .. } = &error else {
            panic!("{error}");
        };
        assert!(reason.contains("no JSON"), "{reason}");
    }
    for body in [r#"{"answer": "yes"}"#, "[]", "null", r#"{"choices": []}"#] {
        let error = error_of(answering(200, "", body));
        assert!(matches!(error, ChatError::Protocol { .. }), "{error}");
    }
    assert!(matches!(error_of(saying("  ")), ChatError::Empty { .. }));
    let cut = r#"{"choices": [{"message": {"content": "The lev"}, "finish_reason": "length"}]}"#;
    let error = error_of(answering(200, "", cut));
    assert!(
        matches!(error, ChatError::CutShort { tokens: 1024, .. }),
        "{error}"
    );
}

#[test]
fn ten_megabytes_are_given_up() {
    let error = error_of(saying(&"flood ".repeat(10 << 20 >> 2)));
    assert!(
        matches!(error, ChatError::TooLarge { limit, .. } if limit == 1 << 20),
        "{error}"
    );
}

#[test]
fn a_server_that_hangs_is_given_up_in_time() {
    let before = Instant::now();
    let error = error_of(Box::new(|_| std::thread::sleep(Duration::from_secs(30))));
    assert!(
        matches!(error, ChatError::TimeOut { seconds: 2, .. }),
        "{error}"
    );
    assert!(before.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_stream_without_end_is_given_up_by_time_or_by_size() {
    let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    // A few bytes now and then: the time ends it.
    let error = error_of(Box::new(move |stream| {
        let _ = stream.write_all(head);
        while stream.write_all(b"1\r\n \r\n").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }));
    assert!(matches!(error, ChatError::TimeOut { .. }), "{error}");
    // As fast as it goes: the size ends it.
    let error = error_of(Box::new(move |stream| {
        let _ = stream.write_all(head);
        let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
        while stream.write_all(chunk.as_bytes()).is_ok() {}
    }));
    assert!(matches!(error, ChatError::TooLarge { .. }), "{error}");
}

#[test]
fn a_dropped_connection_and_an_absent_server_are_named() {
    let error = error_of(Box::new(|_| {}));
    assert!(matches!(error, ChatError::Connection { .. }), "{error}");
    let error = error_of(Box::new(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choi");
    }));
    assert!(matches!(error, ChatError::Connection { .. }), "{error}");
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let error = client(&address).reply(&question()).unwrap_err();
    assert!(
        matches!(error, ModelError::Chat(ChatError::Connection { .. })),
        "{error}"
    );
}

#[test]
fn a_server_that_comes_back_is_asked_again() {
    let busy = || answering(429, "retry-after: 0\r\n", "");
    let (address, sent) = server(vec![busy(), answering(503, "", ""), saying("yes")]);
    let client = Client::new(RemoteChat::new(settings(&address)).unwrap()).with_retries(Retries {
        attempts: 3,
        first_wait: Duration::from_millis(1),
        longest_wait: Duration::from_secs(1),
    });
    assert_eq!(client.reply(&question()).unwrap(), "yes");
    assert_eq!(sent.try_iter().count(), 3);
}

#[test]
fn embeddings_come_in_the_order_asked_and_with_unit_length() {
    let reply = |vectors: &[(usize, [f32; 2])]| {
        let data: Vec<_> = vectors
            .iter()
            .map(|(index, vector)| serde_json::json!({"index": index, "embedding": vector}))
            .collect();
        answering(200, "", serde_json::json!({"data": data}).to_string())
    };
    let (address, sent) = server(vec![
        reply(&[(0, [3.0, 4.0])]),
        reply(&[(1, [0.0, 2.0]), (0, [2.0, 0.0])]),
        reply(&[(0, [1.0, 0.0])]),
        reply(&[(0, [1.0, 0.0]), (0, [1.0, 0.0])]),
    ]);
    let embedder = RemoteEmbedder::connect(settings(&address), ONCE).unwrap();
    assert_eq!(embedder.identity().dimension, 2);
    let vectors = embedder.embed(&["a", "b"], TextRole::Passage).unwrap();
    assert_eq!(vectors, [[1.0, 0.0], [0.0, 1.0]]);
    for _ in 0..2 {
        let error = embedder.embed(&["a", "b"], TextRole::Passage).unwrap_err();
        assert!(
            matches!(error, ModelError::Chat(ChatError::Protocol { .. })),
            "{error}"
        );
    }
    assert!(sent.recv().unwrap().starts_with("POST /v1/embeddings"));

    let anthropic = RemoteSettings {
        provider: Provider::Anthropic,
        ..settings(&address)
    };
    let error = RemoteEmbedder::connect(anthropic, ONCE).err().unwrap();
    assert!(
        matches!(error, ModelError::Chat(ChatError::NotOffered { .. })),
        "{error}"
    );
}

#[test]
fn ollama_and_gemini_make_vectors_too() {
    for (provider, path, body) in [
        (
            Provider::Ollama,
            "POST /api/embed ",
            r#"{"embeddings": [[0, 5]]}"#,
        ),
        (
            Provider::Gemini,
            "POST /v1beta/models/test-model:batchEmbedContents ",
            r#"{"embeddings": [{"values": [0, 5]}]}"#,
        ),
    ] {
        let (address, sent) = server(vec![answering(200, "", body)]);
        let settings = RemoteSettings {
            provider,
            ..settings(&address)
        };
        let embedder = RemoteEmbedder::connect(settings, ONCE).unwrap();
        assert_eq!(
            embedder.embed(&["a"], TextRole::Query).unwrap(),
            [[0.0, 1.0]]
        );
        assert!(sent.recv().unwrap().starts_with(path));
    }
}

#[test]
fn scores_come_in_the_order_of_the_passages() {
    let reply = |scores: &str| answering(200, "", format!(r#"{{"results": [{scores}]}}"#));
    let two = r#"{"index": 1, "relevance_score": 0.0}, {"index": 0, "relevance_score": 2.0}"#;
    let (address, sent) = server(vec![
        reply(two),
        reply(two),
        reply(r#"{"index": 7, "relevance_score": 0.5}"#),
        reply(r#"{"index": 0, "relevance_score": 0.5}"#),
    ]);
    let score = |scale| {
        let reranker = RemoteReranker::new(settings(&address), ONCE, scale).unwrap();
        reranker.score("q", &["a", "b"])
    };
    let shares = score(ScoreScale::Logit).unwrap();
    assert!(
        (shares[0] - 0.880_797).abs() < 1e-5 && shares[1] == 0.5,
        "{shares:?}"
    );
    // A logit read as a share, an invented passage, a passage left out.
    for _ in 0..3 {
        let error = score(ScoreScale::Share).unwrap_err();
        assert!(
            matches!(error, ModelError::Chat(ChatError::Protocol { .. })),
            "{error}"
        );
    }
    assert!(sent.recv().unwrap().starts_with("POST /v1/rerank"));
}

#[test]
fn a_name_or_an_address_that_cannot_be_right_is_refused_before_anything_is_sent() {
    for model in ["", "a b", "../x", "m?key=1"] {
        let settings = RemoteSettings {
            model: model.to_owned(),
            ..settings("http://127.0.0.1:1")
        };
        assert!(RemoteChat::new(settings).is_err(), "{model:?}");
    }
    let error = RemoteChat::new(settings("http://models.example.org"))
        .err()
        .unwrap();
    assert!(error.to_string().contains("in the open"), "{error}");
}
