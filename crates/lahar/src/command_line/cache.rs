//! `lahar cache`.

use clap::{Args, Subcommand};
use lahar_models::chat::ReplyCache;

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;

/// The cache of chat models' replies.
#[derive(Debug, Args)]
pub(super) struct Cache {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Take all kept replies out.
    Clear,
}

impl Cache {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let Action::Clear = self.action;
        let cache = ReplyCache::of_user().ok_or_else(|| {
            Failure::new(Kind::File, "there is no folder for the cache")
                .hint("set HOME, or XDG_CACHE_HOME")
        })?;
        let removed = cache.clear()?;
        let folder = cache.folder().display().to_string();
        let value = serde_json::json!({"removed": removed, "folder": folder});
        output.result(&value, || {
            format!("{removed} replies removed from {folder}")
        });
        Ok(Done::Well)
    }
}
