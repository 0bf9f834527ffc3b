//! A process that is killed in the middle loses nothing that it had answered.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use mneme_core::ports::Inbox;
use mneme_core::source::SourceKind;
use mneme_store::conformance::given;
use mneme_store::{SqliteOptions, SqliteStore};

/// Where the child finds the folder; without it, it has nothing to do.
const FOLDER: &str = "MNEME_KILL_TEST_FOLDER";
const ANSWERS: usize = 40;

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(&SqliteOptions::new(folder.join("mneme.db"))).expect("opens")
}

/// The child: appends for ever, several at a time, and says after each answer which one that was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_appends_until_it_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let store = open(Path::new(&folder));
    let owner = given::user(&store, 1).await;
    for round in 0..100_000_u128 {
        let numbers: Vec<u128> = (0..4).map(|place| round * 4 + place).collect();
        let appends = numbers.iter().map(|number| {
            given::append(
                &store,
                &owner,
                std::slice::from_ref(number),
                1,
                given::at(0),
            )
        });
        given::join_all(appends.collect()).await;
        let mut out = std::io::stdout();
        for number in numbers {
            writeln!(out, "answered {number}").unwrap();
        }
        out.flush().unwrap();
    }
}

#[tokio::test]
async fn what_was_answered_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_appends_until_it_is_killed", "--nocapture"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let answered = lines.filter_map(|line| {
        line.unwrap()
            .strip_prefix("answered ")?
            .parse::<u128>()
            .ok()
    });
    let answered: Vec<u128> = answered.take(ANSWERS).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(answered.len(), ANSWERS);

    let store = open(folder.path());
    let kept = store
        .source_ids(&given::owner(1), SourceKind::Chat, given::ALL)
        .await
        .unwrap();
    for number in answered {
        assert!(
            kept.contains(&given::source_id(number)),
            "source {number} was answered and is gone"
        );
    }
    let idle = store
        .buffered(
            &given::owner(1),
            SourceKind::Chat,
            mneme_core::ports::BufferState::Idle,
        )
        .await
        .unwrap();
    let processing = store
        .buffered(
            &given::owner(1),
            SourceKind::Chat,
            mneme_core::ports::BufferState::Processing,
        )
        .await
        .unwrap();
    assert_eq!(
        idle.len() + processing.len(),
        kept.len(),
        "source and buffer never disagree"
    );
}
