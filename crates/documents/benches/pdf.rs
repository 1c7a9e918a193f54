//! Reading PDF files with two workers, against `pdftotext` over the same files one after another,
//! in one run: `cargo bench -p lahar-documents --bench pdf [FOLDER] [ROUNDS]`.
//!
//! On a machine that others use too, wall times say little: two processes get a larger share than
//! one. The processor seconds beside them, halved for two workers, are what a free machine would
//! need.
//!
//! The folder is `$LAHAR_SHARED/corpus` by default. Prints wall times of each round with their
//! ratio, then medians and spread, and the files that take longest.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use lahar_documents::{ReadOptions, WorkerCommand, read};

/// Files read at one time.
const WORKERS: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let folder = arguments.next().map_or_else(
        || {
            let shared =
                std::env::var_os("LAHAR_SHARED").unwrap_or_else(|| "../../../shared".into());
            Path::new(&shared).join("corpus")
        },
        PathBuf::from,
    );
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "pdf"))
        .collect();
    // The largest first, so that no worker is left with it at the end.
    files.sort_by_key(|path| std::cmp::Reverse(path.metadata().map_or(0, |data| data.len())));
    let options = ReadOptions {
        worker: Some(WorkerCommand {
            program: env!("CARGO_BIN_EXE_lahar-pdf-worker").into(),
            args: Vec::new(),
        }),
        ..ReadOptions::default()
    };
    println!(
        "{} files, {WORKERS} workers, {} processors, load {}",
        files.len(),
        std::thread::available_parallelism()?,
        std::fs::read_to_string("/proc/loadavg")
            .unwrap_or_default()
            .trim()
    );
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut spent_ratios = Vec::new();
    let mut by_file: Vec<(f64, PathBuf)> = Vec::new();
    for _ in 0..rounds {
        let (begun, spent) = (Instant::now(), processor_seconds());
        by_file = read_all(&files, &options);
        let own = begun.elapsed().as_secs_f64();
        let own_spent = processor_seconds() - spent;
        let (begun, spent) = (Instant::now(), processor_seconds());
        for path in &files {
            let done = Command::new("pdftotext").arg(path).arg("-").output()?;
            assert!(
                done.status.success(),
                "pdftotext refuses {}",
                path.display()
            );
        }
        let yardstick = begun.elapsed().as_secs_f64();
        let yardstick_spent = processor_seconds() - spent;
        let spent_ratio = own_spent / WORKERS as f64 / yardstick_spent;
        println!(
            "lahar {own:.2} s, pdftotext {yardstick:.2} s, ratio {:.2}; processor {own_spent:.2} s \
             and {yardstick_spent:.2} s, half of the first to the second {spent_ratio:.2}",
            own / yardstick,
        );
        spent_ratios.push(spent_ratio);
        ours.push(own);
        theirs.push(yardstick);
        ratios.push(own / yardstick);
    }
    for (name, list) in [
        ("lahar s", &mut ours),
        ("pdftotext s", &mut theirs),
        ("ratio", &mut ratios),
        ("of processor", &mut spent_ratios),
    ] {
        list.sort_by(f64::total_cmp);
        println!(
            "{name:<12} median {:.2}, {:.2} to {:.2}",
            list[list.len() / 2],
            list[0],
            list[list.len() - 1]
        );
    }
    by_file.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (seconds, path) in by_file.iter().take(6) {
        println!("  {seconds:.2} s  {}", path.display());
    }
    Ok(())
}

fn read_all(files: &[PathBuf], options: &ReadOptions) -> Vec<(f64, PathBuf)> {
    let rest = Mutex::new(files.iter());
    let times = Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..WORKERS {
            threads.spawn(|| {
                loop {
                    let Some(path) = rest.lock().ok().and_then(|mut rest| rest.next()) else {
                        return;
                    };
                    let begun = Instant::now();
                    let read = read(path, options);
                    assert!(read.is_ok(), "{}: {:?}", path.display(), read.err());
                    if let Ok(mut times) = times.lock() {
                        times.push((begun.elapsed().as_secs_f64(), path.clone()));
                    }
                }
            });
        }
    });
    times.into_inner().unwrap_or_default()
}

/// Seconds of processor time of this program and of its children that ended, in hundredths, where
/// the system says so (Linux: `man 5 proc_pid_stat`, fields 14 to 17).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    ticks as f64 / 100.0
}
