//! A chat service with its limits, its cache and its tape.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::{
    ChatError, ChatModel, ChatRequest, ChatService, Message, Reply, ReplyCache, Schema, Tape,
};
use crate::ModelError;

/// The most that may be used by one client. `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// Calls of the service; replies from cache or tape do not count, further attempts do.
    pub calls: Option<u64>,
    /// Tokens, in and out together.
    pub tokens: Option<u64>,
    /// Money, in the unit of the prices.
    pub cost: Option<f64>,
    /// Price of a million tokens in.
    pub price_in: f64,
    /// Price of a million tokens out.
    pub price_out: f64,
}

/// What was used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Used {
    /// Calls of the service, each attempt by itself.
    pub calls: u64,
    /// Replies that came from cache or tape.
    pub kept: u64,
    /// Tokens in, by the server's count or, where it has none, by four characters each.
    pub tokens_in: u64,
    /// Tokens out, counted likewise.
    pub tokens_out: u64,
    /// Money, in the unit of the prices.
    pub cost: f64,
}

impl Budget {
    fn price(&self, tokens_in: u64, tokens_out: u64) -> f64 {
        (tokens_in as f64 * self.price_in + tokens_out as f64 * self.price_out) / 1e6
    }
}

/// How often and when a failed attempt is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Attempts in all, at least 1.
    pub attempts: u32,
    /// The wait after the first failure; it doubles with each further one, and up to a quarter
    /// is added so that many clients do not come back at once.
    pub first_wait: Duration,
    /// A server that wants a longer wait than this is given up at once.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Retries {
        Retries {
            attempts: 3,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
        }
    }
}

impl Retries {
    /// The wait before the attempt after number `failed` (1 for the first); `None` when there
    /// shall be none.
    fn wait(&self, failed: u32, error: &ChatError, seed: &str) -> Option<Duration> {
        if failed >= self.attempts || !error.is_transient() {
            return None;
        }
        let doubled = self.first_wait * 2_u32.saturating_pow(failed - 1).min(1 << 16);
        // From the request's hash, so that the same run waits the same way.
        let spread = seed
            .as_bytes()
            .get(failed as usize)
            .map_or(0, |byte| byte % 16);
        let own = doubled.min(self.longest_wait) + doubled / 64 * u32::from(spread);
        let asked = error.retry_after().map_or(own, Duration::from_secs);
        (asked <= self.longest_wait || error.retry_after().is_none()).then_some(asked)
    }
}

/// A chat model: a service, asked within its limits.
pub struct Client {
    name: String,
    service: Option<Box<dyn ChatService>>,
    cache: Option<ReplyCache>,
    tape: Option<Tape>,
    budget: Budget,
    retries: Retries,
    most_at_once: usize,
    used: Mutex<Books>,
    freed: Condvar,
    sleep: fn(Duration),
}

/// What was used, what running calls may still use, and how many run.
#[derive(Debug, Default)]
struct Books {
    used: Used,
    reserved_in: u64,
    reserved_out: u64,
    running: usize,
}

impl Client {
    /// A client of a service, with three attempts, four calls at once, no cache and no budget.
    pub fn new(service: impl ChatService + 'static) -> Client {
        Client {
            name: service.name().to_owned(),
            service: Some(Box::new(service)),
            ..Client::without_service("")
        }
    }

    /// A client that only plays a tape.
    pub fn playing(tape: Tape) -> Client {
        Client {
            tape: Some(tape),
            ..Client::without_service("recorded")
        }
    }

    fn without_service(name: &str) -> Client {
        Client {
            name: name.to_owned(),
            service: None,
            cache: None,
            tape: None,
            budget: Budget::default(),
            retries: Retries::default(),
            most_at_once: 4,
            used: Mutex::default(),
            freed: Condvar::new(),
            sleep: std::thread::sleep,
        }
    }

    /// Keeps replies, and answers from those that are kept.
    #[must_use]
    pub fn with_cache(mut self, cache: ReplyCache) -> Client {
        self.cache = Some(cache);
        self
    }

    /// Records, or plays.
    #[must_use]
    pub fn with_tape(mut self, tape: Tape) -> Client {
        self.tape = Some(tape);
        self
    }

    /// Sets the most that may be used.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Client {
        self.budget = budget;
        self
    }

    /// Sets how failures are met.
    #[must_use]
    pub fn with_retries(mut self, retries: Retries) -> Client {
        self.retries = retries;
        self
    }

    /// Sets how many calls may run at once; at least one may.
    #[must_use]
    pub fn with_most_at_once(mut self, most: usize) -> Client {
        self.most_at_once = most.max(1);
        self
    }

    /// Waits by this in place of sleeping, for tests.
    #[must_use]
    pub fn with_sleep(mut self, sleep: fn(Duration)) -> Client {
        self.sleep = sleep;
        self
    }

    /// What was used up to now.
    pub fn used(&self) -> Used {
        self.books().used
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.used.lock().unwrap_or_else(|p| p.into_inner())
    }

    /// One reply, from the tape, the cache or the service.
    pub fn ask(&self, request: &ChatRequest<'_>) -> Result<Reply, ChatError> {
        if let Some(recorded) = self.tape.as_ref().and_then(|tape| tape.answer(request)) {
            self.books().used.kept += 1;
            return recorded;
        }
        let Some(service) = &self.service else {
            return Err(ChatError::Connection {
                model: self.name.clone(),
                reason: "there is no server".to_owned(),
            });
        };
        let hash = request.hash(&service.fingerprint());
        if let Some(reply) = self.cache.as_ref().and_then(|cache| cache.get(&hash)) {
            self.books().used.kept += 1;
            self.record(request, &reply)?;
            return Ok(reply);
        }
        let reply = self.attempts(service.as_ref(), request, &hash)?;
        if let Some(cache) = &self.cache {
            cache.put(&hash, &reply)?;
        }
        self.record(request, &reply)?;
        Ok(reply)
    }

    /// Makes calls that are no conversation, with the same attempts.
    #[cfg(feature = "network")]
    pub(super) fn again<T>(
        retries: Retries,
        seed: &str,
        call: impl Fn() -> Result<T, ChatError>,
    ) -> Result<T, ChatError> {
        let mut failed = 0;
        loop {
            let error = match call() {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            failed += 1;
            match retries.wait(failed, &error, seed) {
                Some(wait) => std::thread::sleep(wait),
                None => return Err(error),
            }
        }
    }

    fn record(&self, request: &ChatRequest<'_>, reply: &Reply) -> Result<(), ChatError> {
        let tape = self.tape.as_ref();
        tape.map_or(Ok(()), |tape| tape.keep(&self.name, request, reply))
    }

    fn attempts(
        &self,
        service: &dyn ChatService,
        request: &ChatRequest<'_>,
        hash: &str,
    ) -> Result<Reply, ChatError> {
        let mut failed = 0;
        loop {
            let place = self.take_place(service, request)?;
            let result = service.send(request);
            place.give_back(result.as_ref().ok(), request);
            let error = match result {
                Ok(reply) if reply.text.trim().is_empty() => {
                    return Err(ChatError::Empty {
                        model: self.name.clone(),
                    });
                }
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            failed += 1;
            match self.retries.wait(failed, &error, hash) {
                Some(wait) => (self.sleep)(wait),
                None => return Err(error),
            }
        }
    }

    /// Waits for a free place and sets aside what the call may use at most.
    fn take_place(
        &self,
        service: &dyn ChatService,
        request: &ChatRequest<'_>,
    ) -> Result<Place<'_>, ChatError> {
        let mut books = self.books();
        while books.running >= self.most_at_once {
            books = self.freed.wait(books).unwrap_or_else(|p| p.into_inner());
        }
        let (tokens_in, tokens_out) = (request.estimated_tokens(), service.longest_reply());
        let will_in = books.used.tokens_in + books.reserved_in + tokens_in;
        let will_out = books.used.tokens_out + books.reserved_out + tokens_out;
        let Budget {
            calls,
            tokens,
            cost,
            ..
        } = self.budget;
        let spent = if calls.is_some_and(|most| books.used.calls >= most) {
            calls.map(|most| (most.to_string(), "calls"))
        } else if tokens.is_some_and(|most| will_in + will_out > most) {
            tokens.map(|most| (most.to_string(), "tokens"))
        } else if cost.is_some_and(|most| self.budget.price(will_in, will_out) > most) {
            cost.map(|most| (most.to_string(), "units of money"))
        } else {
            None
        };
        if let Some((limit, unit)) = spent {
            return Err(ChatError::BudgetSpent {
                model: self.name.clone(),
                limit,
                unit,
            });
        }
        books.running += 1;
        books.used.calls += 1;
        books.reserved_in += tokens_in;
        books.reserved_out += tokens_out;
        Ok(Place {
            client: self,
            tokens_in,
            tokens_out,
        })
    }
}

/// A running call's place; given back also when the call panics.
struct Place<'c> {
    client: &'c Client,
    tokens_in: u64,
    tokens_out: u64,
}

impl Place<'_> {
    /// Books what the call has used.
    fn give_back(self, reply: Option<&Reply>, request: &ChatRequest<'_>) {
        let Some(reply) = reply else { return };
        let estimate = || (reply.text.chars().count() as u64).div_ceil(4);
        let tokens_in = reply.tokens_in.unwrap_or(request.estimated_tokens());
        let tokens_out = reply.tokens_out.unwrap_or_else(estimate);
        let mut books = self.client.books();
        books.used.tokens_in += tokens_in;
        books.used.tokens_out += tokens_out;
        books.used.cost += self.client.budget.price(tokens_in, tokens_out);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut books = self.client.books();
        books.running -= 1;
        books.reserved_in -= self.tokens_in;
        books.reserved_out -= self.tokens_out;
        drop(books);
        self.client.freed.notify_one();
    }
}

impl ChatModel for Client {
    fn name(&self) -> &str {
        &self.name
    }

    fn reply(&self, messages: &[Message]) -> Result<String, ModelError> {
        let request = ChatRequest {
            messages,
            schema: None,
        };
        Ok(self.ask(&request)?.text)
    }

    fn reply_in(&self, messages: &[Message], schema: &Schema) -> Result<String, ModelError> {
        let request = ChatRequest {
            messages,
            schema: Some(schema),
        };
        Ok(self.ask(&request)?.text)
    }
}
