//! Algorithm 1 of MoRA-RAG over any agents: retrieve, judge, search, judge, rewrite, write.
//!
//! As printed, evaluator and writer see the rewritten question, the search's evidence stands alone,
//! and the writer answers from memory where nothing sufficed. As we run it, evaluator and writer
//! see the question that was asked, a rewrite that says nothing new ends the loop, and where
//! nothing sufficed nothing is written.

use serde::Serialize;

/// Iterations at most (section 4.2.3).
pub const ITERATIONS: usize = 5;

/// Which form of the algorithm runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// As the paper prints it, less the rewrite after the last iteration, which nothing reads.
    Printed,
    /// As the gaps of the paper are closed here.
    Ours,
}

/// Whether evidence suffices, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sufficiency {
    /// Whether it does.
    pub sufficient: bool,
    /// What it lacks, or that it lacks nothing.
    pub why: String,
}

/// Whose evidence was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// The library's.
    Library,
    /// The searcher's.
    Search,
}

/// One call, in the order they were made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "call")]
pub enum Step {
    /// Evidence was retrieved for a question.
    Retrieve {
        /// The question.
        question: String,
        /// Chunks that came, best first.
        chunks: Vec<i64>,
    },
    /// Evidence was judged.
    Evaluate {
        /// The question it was judged for.
        question: String,
        /// Whose it was.
        of: Of,
        /// What was found.
        #[serde(flatten)]
        sufficiency: Sufficiency,
    },
    /// Elsewhere was searched.
    Search {
        /// The question.
        question: String,
        /// Chunks that came.
        chunks: Vec<i64>,
    },
    /// The question was put in other words.
    Rewrite {
        /// Into these; none where there was nothing new to say.
        into: Option<String>,
    },
    /// The answer was written.
    Write {
        /// For this question.
        question: String,
        /// From evidence, or from memory.
        from_evidence: bool,
    },
    /// The loop ended before its last iteration.
    Stop {
        /// Why.
        why: String,
    },
}

/// What the algorithm is made of.
pub trait Agents {
    /// Evidence for a question.
    type Evidence;
    /// What a failed call says.
    type Error;

    /// Evidence from the library, routed over hazards.
    fn retrieve(&mut self, question: &str) -> Result<Self::Evidence, Self::Error>;
    /// Numbers of its chunks, best first.
    fn chunks(&self, evidence: &Self::Evidence) -> Vec<i64>;
    /// Whether evidence suffices for a question.
    fn evaluate(
        &mut self,
        question: &str,
        evidence: &Self::Evidence,
    ) -> Result<Sufficiency, Self::Error>;
    /// Evidence from elsewhere; none where there is no searcher.
    fn search(&mut self, question: &str) -> Result<Option<Self::Evidence>, Self::Error>;
    /// The question in other words, given what did not suffice; none where there are none left.
    fn rewrite(
        &mut self,
        question: &str,
        evidence: &Self::Evidence,
    ) -> Result<Option<String>, Self::Error>;
}

/// What came of the loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<E> {
    /// Evidence that suffices, with the question it was found by.
    pub evidence: Option<E>,
    /// The question that the writer is to answer.
    pub question: String,
    /// Every call.
    pub steps: Vec<Step>,
}

/// Runs the loop; the writer's call is the last step, and its answer the caller's.
pub fn run<A: Agents>(
    agents: &mut A,
    asked: &str,
    behaviour: Behaviour,
) -> Result<Outcome<A::Evidence>, A::Error> {
    let mut steps = Vec::new();
    let mut question = asked.to_owned();
    let mut seen: Vec<String> = vec![plain(asked)];
    let mut before: Vec<Vec<i64>> = Vec::new();
    let mut found = None;
    for iteration in 1..=ITERATIONS {
        let judged_for = match behaviour {
            Behaviour::Printed => question.clone(),
            Behaviour::Ours => asked.to_owned(),
        };
        let evidence = agents.retrieve(&question)?;
        let chunks = agents.chunks(&evidence);
        steps.push(Step::Retrieve {
            question: question.clone(),
            chunks: chunks.clone(),
        });
        if judge(agents, &mut steps, &judged_for, Of::Library, &evidence)? {
            found = Some(evidence);
            break;
        }
        if let Some(elsewhere) = agents.search(&question)? {
            steps.push(Step::Search {
                question: question.clone(),
                chunks: agents.chunks(&elsewhere),
            });
            if judge(agents, &mut steps, &judged_for, Of::Search, &elsewhere)? {
                found = Some(elsewhere);
                break;
            }
        }
        if iteration == ITERATIONS {
            break;
        }
        // Nothing, found twice, may still become something.
        let again = !chunks.is_empty() && before.contains(&chunks);
        if behaviour == Behaviour::Ours && again {
            let why = "the same chunks came again".to_owned();
            steps.push(Step::Stop { why });
            break;
        }
        before.push(chunks);
        let into = agents.rewrite(&question, &evidence)?;
        steps.push(Step::Rewrite { into: into.clone() });
        match into {
            Some(next) if behaviour == Behaviour::Printed => question = next,
            Some(next) if !seen.contains(&plain(&next)) => {
                seen.push(plain(&next));
                question = next;
            }
            _ if behaviour == Behaviour::Printed => {}
            _ => {
                let why = "there is no other way to ask".to_owned();
                steps.push(Step::Stop { why });
                break;
            }
        }
    }
    let question = match behaviour {
        Behaviour::Printed => question,
        Behaviour::Ours => asked.to_owned(),
    };
    if found.is_some() || behaviour == Behaviour::Printed {
        steps.push(Step::Write {
            question: question.clone(),
            from_evidence: found.is_some(),
        });
    }
    Ok(Outcome {
        evidence: found,
        question,
        steps,
    })
}

fn judge<A: Agents>(
    agents: &mut A,
    steps: &mut Vec<Step>,
    question: &str,
    of: Of,
    evidence: &A::Evidence,
) -> Result<bool, A::Error> {
    let sufficiency = agents.evaluate(question, evidence)?;
    let sufficient = sufficiency.sufficient;
    steps.push(Step::Evaluate {
        question: question.to_owned(),
        of,
        sufficiency,
    });
    Ok(sufficient)
}

/// A question as it is compared with earlier ones.
fn plain(question: &str) -> String {
    let words = question.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Reads an evaluator's reply: "1" is sufficient; anything that is not plainly so is not.
///
/// ```
/// use lahar_answers::mora::algorithm::is_sufficient;
/// assert!(is_sufficient("1") && is_sufficient("1.") && is_sufficient("Sufficiency: 1"));
/// assert!(!is_sufficient("0") && !is_sufficient("10") && !is_sufficient("I think so"));
/// ```
pub fn is_sufficient(reply: &str) -> bool {
    let mut numbers = reply
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    matches!((numbers.next(), numbers.next()), (Some("1"), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agents of a script: evidence is the question's number, sufficient from a call on.
    struct Script {
        sufficient_at: Option<usize>,
        searches: bool,
        rewrites: Vec<&'static str>,
        evaluated: usize,
        retrieved: usize,
    }

    impl Script {
        fn new(sufficient_at: Option<usize>) -> Script {
            Script {
                sufficient_at,
                searches: true,
                rewrites: vec!["r1", "r2", "r3", "r4", "r5"],
                evaluated: 0,
                retrieved: 0,
            }
        }
    }

    impl Agents for Script {
        type Evidence = i64;
        type Error = ();

        fn retrieve(&mut self, _: &str) -> Result<i64, ()> {
            self.retrieved += 1;
            Ok(self.retrieved as i64)
        }
        fn chunks(&self, evidence: &i64) -> Vec<i64> {
            vec![*evidence]
        }
        fn evaluate(&mut self, _: &str, _: &i64) -> Result<Sufficiency, ()> {
            self.evaluated += 1;
            Ok(Sufficiency {
                sufficient: Some(self.evaluated) == self.sufficient_at,
                why: String::new(),
            })
        }
        fn search(&mut self, _: &str) -> Result<Option<i64>, ()> {
            Ok(self.searches.then_some(-1))
        }
        fn rewrite(&mut self, _: &str, _: &i64) -> Result<Option<String>, ()> {
            match self.rewrites.is_empty() {
                true => Ok(None),
                false => Ok(Some(self.rewrites.remove(0).to_owned())),
            }
        }
    }

    fn calls(steps: &[Step]) -> String {
        let letter = |step: &Step| match step {
            Step::Retrieve { .. } => 'r',
            Step::Evaluate { .. } => 'e',
            Step::Search { .. } => 's',
            Step::Rewrite { .. } => 'w',
            Step::Write { .. } => 'A',
            Step::Stop { .. } => '.',
        };
        steps.iter().map(letter).collect()
    }

    #[test]
    fn the_printed_algorithm_makes_these_calls_and_no_others() {
        let run = |at| run(&mut Script::new(at), "q", Behaviour::Printed).unwrap();
        assert_eq!(calls(&run(Some(1)).steps), "reA");
        assert_eq!(calls(&run(Some(2)).steps), "reseA");
        assert_eq!(calls(&run(Some(3)).steps), "resewreA");
        // Never: 5 retrievals, 10 judgements, 5 searches, 4 rewrites, and an answer from memory.
        let never = run(None);
        assert_eq!(calls(&never.steps), "resewresewresewresewreseA");
        assert_eq!(never.evidence, None);
        assert_eq!(never.question, "r4");
        let last = never.steps.last().unwrap();
        assert!(matches!(last, Step::Write { from_evidence: false, question } if question == "r4"));
    }

    #[test]
    fn as_printed_the_rewritten_question_is_judged_and_as_we_run_it_the_one_that_was_asked() {
        let judged = |behaviour| -> Vec<String> {
            let outcome = run(&mut Script::new(None), "q", behaviour).unwrap();
            let of = |step: &Step| match step {
                Step::Evaluate { question, .. } => Some(question.clone()),
                _ => None,
            };
            outcome.steps.iter().filter_map(of).collect()
        };
        assert_eq!(judged(Behaviour::Printed)[2..4], ["r1", "r1"]);
        assert!(
            judged(Behaviour::Ours)
                .iter()
                .all(|question| question == "q")
        );
    }

    #[test]
    fn nothing_is_written_of_what_did_not_suffice() {
        let outcome = run(&mut Script::new(None), "q", Behaviour::Ours).unwrap();
        assert_eq!(calls(&outcome.steps), "resewresewresewresewrese");
        assert_eq!(outcome.question, "q");
    }

    #[test]
    fn a_rewrite_that_says_nothing_new_ends_the_loop() {
        let mut script = Script::new(None);
        script.rewrites = vec!["r1", "Q!"];
        let outcome = run(&mut script, "q", Behaviour::Ours).unwrap();
        assert_eq!(calls(&outcome.steps), "resewresew.");
        let mut silent = Script::new(None);
        silent.rewrites.clear();
        silent.searches = false;
        let outcome = run(&mut silent, "q", Behaviour::Ours).unwrap();
        assert_eq!(calls(&outcome.steps), "rew.");
    }

    #[test]
    fn the_same_script_gives_the_same_steps() {
        let run = || {
            run(&mut Script::new(Some(5)), "q", Behaviour::Ours)
                .unwrap()
                .steps
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn only_a_plain_one_is_enough() {
        for yes in ["1", " 1 ", "1.", "Sufficiency: 1", "\"1\""] {
            assert!(is_sufficient(yes), "{yes}");
        }
        for no in [
            "",
            "0",
            "10",
            "1 or 0",
            "yes",
            "sufficient",
            "0.1",
            "1st try",
        ] {
            assert!(!is_sufficient(no), "{no}");
        }
    }
}
