//! What stands around a chat model, without any server: limits, cache, tape, secrets.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lahar_models::ModelError;
use lahar_models::chat::{
    Budget, ChatError, ChatModel, ChatRequest, ChatService, Client, Key, Message, Reply,
    ReplyCache, Retries, Schema, ScriptedChat, Speaker, Tape, structured,
};

type Answer = Result<Reply, ChatError>;

/// A service that answers from a list, and counts.
struct Listed {
    answers: Mutex<Vec<Answer>>,
    calls: &'static AtomicUsize,
}

impl Listed {
    fn new(answers: impl IntoIterator<Item = Answer>) -> (Listed, &'static AtomicUsize) {
        let calls: &'static AtomicUsize = Box::leak(Box::default());
        let mut answers: Vec<Answer> = answers.into_iter().collect();
        answers.reverse();
        let answers = Mutex::new(answers);
        (Listed { answers, calls }, calls)
    }
}

impl ChatService for Listed {
    fn name(&self) -> &str {
        "listed"
    }

    fn fingerprint(&self) -> String {
        "listed".to_owned()
    }

    fn longest_reply(&self) -> u64 {
        10
    }

    fn send(&self, _request: &ChatRequest<'_>) -> Answer {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop().unwrap(),
        }
    }
}

fn said(text: &str) -> Answer {
    Ok(Reply {
        text: text.to_owned(),
        tokens_in: Some(20),
        tokens_out: Some(5),
    })
}

fn failed() -> ChatError {
    ChatError::ServerFailed {
        model: "listed".to_owned(),
        status: 500,
        seconds: None,
        said: String::new(),
    }
}

fn busy(seconds: u64) -> ChatError {
    ChatError::TooManyRequests {
        model: "listed".to_owned(),
        seconds: Some(seconds),
    }
}

fn ask(text: &str) -> [Message; 1] {
    [Message::new(Speaker::User, text)]
}

fn chat_error(error: ModelError) -> ChatError {
    match error {
        ModelError::Chat(error) => error,
        other => panic!("{other}"),
    }
}

thread_local! {
    static WAITED: std::cell::RefCell<Vec<Duration>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn note(wait: Duration) {
    WAITED.with_borrow_mut(|waited| waited.push(wait));
}

#[test]
fn what_fails_for_a_while_is_asked_again_with_growing_waits() {
    let (service, calls) = Listed::new([Err(failed()), Err(failed()), said("yes")]);
    let client = Client::new(service).with_sleep(note);
    assert_eq!(client.reply(&ask("?")).unwrap(), "yes");
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    assert_eq!(client.used().calls, 3);
    let waited = WAITED.take();
    assert_eq!(waited.len(), 2);
    let between = |wait: Duration, low: u64| {
        (Duration::from_millis(low)..=Duration::from_millis(low + low / 4)).contains(&wait)
    };
    assert!(
        between(waited[0], 500) && between(waited[1], 1000),
        "{waited:?}"
    );
}

#[test]
fn a_server_s_own_wait_is_kept_and_too_long_a_one_given_up() {
    let (service, _) = Listed::new([Err(busy(7)), said("yes")]);
    let client = Client::new(service).with_sleep(note);
    client.reply(&ask("?")).unwrap();
    assert_eq!(WAITED.take(), [Duration::from_secs(7)]);

    let (service, calls) = Listed::new([Err(busy(3600)), said("yes")]);
    let client = Client::new(service).with_sleep(note);
    let error = chat_error(client.reply(&ask("?")).unwrap_err());
    assert_eq!(error, busy(3600));
    assert!(error.to_string().contains("3600 s"));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    assert!(WAITED.take().is_empty());
}

#[test]
fn attempts_end_and_what_no_wait_mends_is_not_tried_again() {
    let (service, calls) = Listed::new([Err(failed())]);
    let retries = Retries {
        attempts: 2,
        ..Retries::default()
    };
    let client = Client::new(service).with_sleep(note).with_retries(retries);
    assert_eq!(chat_error(client.reply(&ask("?")).unwrap_err()), failed());
    assert_eq!(calls.load(Ordering::SeqCst), 2);

    let refused = ChatError::KeyRefused {
        model: "listed".to_owned(),
        status: 401,
    };
    let (service, calls) = Listed::new([Err(refused.clone())]);
    let client = Client::new(service).with_sleep(note);
    assert_eq!(chat_error(client.reply(&ask("?")).unwrap_err()), refused);
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_budget_ends_the_calls_before_it_is_passed() {
    let spent = |budget: Budget| {
        let (service, calls) = Listed::new([said("yes")]);
        let client = Client::new(service).with_budget(budget);
        let error = (0..9).find_map(|_| client.reply(&ask("12345678")).err());
        let ChatError::BudgetSpent { unit, .. } = chat_error(error.expect("no end")) else {
            panic!("not the budget");
        };
        (calls.load(Ordering::SeqCst), unit, client.used())
    };
    let none = Budget::default();
    let (calls, unit, _) = spent(Budget {
        calls: Some(2),
        ..none
    });
    assert_eq!((calls, unit), (2, "calls"));
    // 25 used by each; the third might use 2 + 10 more than the 50 that are gone.
    let (calls, unit, used) = spent(Budget {
        tokens: Some(61),
        ..none
    });
    assert_eq!(
        (calls, unit, used.tokens_in, used.tokens_out),
        (2, "tokens", 40, 10)
    );
    let (calls, unit, used) = spent(Budget {
        cost: Some(1e-4),
        price_in: 1.0,
        price_out: 4.0,
        ..none
    });
    // 40 millionths a call; the second leaves 20, and 10 tokens out may cost 40.
    assert_eq!((calls, unit), (2, "units of money"));
    assert!((used.cost - 8e-5).abs() < 1e-12);
}

#[test]
fn no_more_calls_run_at_once_than_allowed() {
    struct Slow;
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    impl ChatService for Slow {
        fn name(&self) -> &str {
            "slow"
        }
        fn fingerprint(&self) -> String {
            String::new()
        }
        fn longest_reply(&self) -> u64 {
            1
        }
        fn send(&self, _request: &ChatRequest<'_>) -> Answer {
            let running = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
            MOST.fetch_max(running, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(30));
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            said("yes")
        }
    }
    let client = Client::new(Slow).with_most_at_once(2);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| client.reply(&ask("?")).unwrap());
        }
    });
    assert_eq!(MOST.load(Ordering::SeqCst), 2);
    assert_eq!(client.used().calls, 8);
}

#[test]
fn kept_replies_save_calls_and_only_their_owner_reads_them() {
    let scratch = tempfile::tempdir().unwrap();
    let cache = ReplyCache::at(scratch.path().join("replies"));
    let (service, calls) = Listed::new([said("one"), said("two"), said("three")]);
    let client = Client::new(service).with_cache(cache.clone());
    for _ in 0..3 {
        assert_eq!(client.reply(&ask("a")).unwrap(), "one");
    }
    assert_eq!(client.reply(&ask("b")).unwrap(), "two");
    let schema = Schema {
        name: "other",
        json: serde_json::json!({}),
    };
    assert_eq!(client.reply_in(&ask("a"), &schema).unwrap(), "three");
    assert_eq!(calls.load(Ordering::SeqCst), 3);
    assert_eq!((client.used().calls, client.used().kept), (3, 2));

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(cache.folder()), 0o700);
        for file in std::fs::read_dir(cache.folder()).unwrap() {
            assert_eq!(mode(&file.unwrap().path()), 0o600);
        }
    }
    std::fs::write(cache.folder().join("mine.txt"), "not a reply").unwrap();
    assert_eq!(cache.clear().unwrap(), 3);
    assert!(cache.folder().join("mine.txt").exists());
    assert_eq!(cache.clear().unwrap(), 0);
}

#[test]
fn a_damaged_file_of_the_cache_is_asked_for_anew() {
    let scratch = tempfile::tempdir().unwrap();
    let cache = ReplyCache::at(scratch.path());
    let (service, calls) = Listed::new([said("one"), said("two")]);
    let client = Client::new(service).with_cache(cache.clone());
    client.reply(&ask("a")).unwrap();
    for file in std::fs::read_dir(cache.folder()).unwrap() {
        std::fs::write(file.unwrap().path(), "{").unwrap();
    }
    assert_eq!(client.reply(&ask("a")).unwrap(), "two");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[test]
fn failures_and_empty_replies_are_not_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let cache = ReplyCache::at(scratch.path());
    let (service, _) = Listed::new([said(" \n"), said("yes")]);
    let client = Client::new(service).with_cache(cache);
    let error = chat_error(client.reply(&ask("a")).unwrap_err());
    assert!(matches!(error, ChatError::Empty { .. }));
    assert_eq!(client.reply(&ask("a")).unwrap(), "yes");
}

#[test]
fn what_was_recorded_is_played_without_a_service() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("tape.jsonl");
    let (service, _) = Listed::new([said("one"), said("two"), said("other")]);
    let client = Client::new(service).with_tape(Tape::record(&path).unwrap());
    for text in ["a", "a", "b"] {
        client.reply(&ask(text)).unwrap();
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let played = Client::playing(Tape::play(&path).unwrap());
    for (text, reply) in [("a", "one"), ("b", "other"), ("a", "two"), ("a", "two")] {
        assert_eq!(played.reply(&ask(text)).unwrap(), reply);
    }
    let error = chat_error(played.reply(&ask("c")).unwrap_err());
    assert!(matches!(error, ChatError::NotOnTape { .. }), "{error}");

    std::fs::write(&path, "{}\n").unwrap();
    let error = Tape::play(&path).unwrap_err().to_string();
    assert!(error.contains("line 1 is no exchange"), "{error}");
}

#[test]
fn one_repair_is_asked_for_and_no_second() {
    #[derive(Debug, serde::Deserialize, PartialEq)]
    struct Graded {
        grade: u8,
    }
    let schema = Schema {
        name: "graded",
        json: serde_json::json!({"type": "object"}),
    };
    let read = |replies: &[&str]| {
        let (service, calls) = Listed::new(replies.iter().map(|text| said(text)));
        let client = Client::new(service);
        let read = structured::<Graded>(&client, &ask("?"), &schema);
        (read.map_err(chat_error), calls.load(Ordering::SeqCst))
    };
    let (first, calls) = read(&[r#"{"grade": 2}"#]);
    assert_eq!((first.unwrap().repaired, calls), (None, 1));
    let (second, calls) = read(&["It is good.", r#"{"grade": 2}"#]);
    let second = second.unwrap();
    assert_eq!((second.value, calls), (Graded { grade: 2 }, 2));
    assert_eq!(second.repaired.unwrap(), "it holds no JSON");
    let (none, calls) = read(&[r#"{"grade": "#]);
    let Err(ChatError::Unreadable { reason, .. }) = none else {
        panic!("{none:?}");
    };
    assert_eq!((reason.as_str(), calls), ("its JSON ends too early", 2));
}

#[test]
fn a_scripted_model_can_be_read_into_types() {
    let model = ScriptedChat::new(["[1, 2, 3]"]);
    let schema = Schema {
        name: "numbers",
        json: serde_json::json!({"type": "array"}),
    };
    let read = structured::<Vec<u8>>(&model, &ask("?"), &schema).unwrap();
    assert_eq!(read.value, [1, 2, 3]);
}

#[cfg(unix)]
#[test]
fn a_key_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("key");
    std::fs::write(&path, "sk-secret-words\n").unwrap();
    for (mode, safe) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        match Key::from_file(&path) {
            Ok(key) => {
                assert!(safe, "{mode:o}");
                assert_eq!(key, Key::new("sk-secret-words").unwrap());
            }
            Err(error) => {
                assert!(!safe, "{mode:o}: {error}");
                assert!(error.to_string().contains("chmod 600"));
                assert!(!error.to_string().contains("secret-words"));
            }
        }
    }
    for text in ["", "two words", "line\nline", "schlüssel"] {
        assert!(Key::new(text).is_err(), "{text:?}");
    }
}
