//! A real PostgreSQL with pgvector, made for a test run and gone with it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Names the folder of the server's programs; asked first.
const VARIABLE: &str = "MNEME_PG_BIN";
/// Where the programs are after provisioning, from the root of the repository.
const PROVISIONED: &str = ".provision/postgres/pgserver/pginstall/bin";
/// The user and group `nobody`. The server refuses to run as root.
const NOBODY: u32 = 65_534;
/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Another process may take the port between our choice and the start.
const STARTS_MAX: usize = 3;

/// Ends the server when its input ends, which it does with the process that started it, however that ended. A line on
/// the input asks to keep the data.
const GUARD: &str = r#"
folder="$1"; shift
exec 3<&0
"$@" </dev/null >>"$folder/log" 2>&1 3<&- &
server=$!
read -r word <&3
kill -QUIT "$server" 2>/dev/null
wait "$server" 2>/dev/null
[ "$word" = keep ] || rm -rf "$folder"
"#;

/// Ends the server when no process that uses it has been alive for some seconds.
const SHARED_GUARD: &str = r#"
folder="$1"; shift
"$@" </dev/null >>"$folder/log" 2>&1 &
server=$!
idle=0
while [ "$idle" -lt 5 ]; do
    sleep 1
    idle=$((idle + 1))
    for user in "$folder"/user-*; do
        number="${user##*-}"
        if kill -0 "$number" 2>/dev/null || [ -d "/proc/$number" ]; then
            idle=0
        else
            rm -f "$user"
        fi
    done
done
kill -QUIT "$server" 2>/dev/null
wait "$server" 2>/dev/null
rm -rf "$folder"
"#;
/// Names the run of a test runner that starts a process for each test.
const RUN_VARIABLE: &str = "NEXTEST_RUN_ID";

/// A server of its own on a free port of the loopback. Everybody on this machine may connect as `postgres`. Its files
/// are removed when it is dropped or when the process ends.
#[derive(Debug)]
pub struct TempPostgres {
    programs: PathBuf,
    folder: PathBuf,
    settings: Vec<String>,
    port: u16,
    /// Missing where other processes use the server too.
    guard: Option<Child>,
}

impl TempPostgres {
    /// Makes a cluster and starts it, without waiting for the disk at commits.
    ///
    /// # Panics
    /// When the programs are missing (then the message says how to get them), or the server does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(&["fsync=off"])
    }

    /// Makes a cluster and starts it with these settings (`name=value`).
    ///
    /// # Panics
    /// As [`TempPostgres::start`].
    #[must_use]
    pub fn start_with(settings: &[&str]) -> Self {
        let found = programs().unwrap_or_else(|message| panic!("{message}"));
        let made = Self::make(&found, settings);
        made.unwrap_or_else(|error| panic!("PostgreSQL does not start: {error}"))
    }

    /// One server for all processes of a test run, where the runner starts a process for each test; else as
    /// [`TempPostgres::start`]. Schemas and databases of one process must not have the names of another's.
    ///
    /// # Panics
    /// As [`TempPostgres::start`].
    #[must_use]
    pub fn shared() -> Self {
        let Ok(run) = std::env::var(RUN_VARIABLE) else {
            return Self::start();
        };
        let found = programs().unwrap_or_else(|message| panic!("{message}"));
        let joined = Self::join(&found, &run);
        joined.unwrap_or_else(|error| panic!("PostgreSQL does not start: {error}"))
    }

    fn make(found: &Path, settings: &[&str]) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("mneme-postgres-")
            .tempdir()?
            .keep();
        let programs = prepare(found, &folder)?;
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let (guard, port) = run_somewhere(&programs, &folder, &settings, GUARD)?;
        Ok(Self {
            programs,
            folder,
            settings,
            port,
            guard: Some(guard),
        })
    }

    /// Uses the server of the run, and starts it when it is not there.
    fn join(found: &Path, run: &str) -> io::Result<Self> {
        let run: String = run
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(64)
            .collect();
        let folder = std::env::temp_dir().join(format!("mneme-postgres-{run}"));
        fs::create_dir_all(&folder)?;
        // Held until the server answers or was found to answer.
        let turn = File::create(folder.join("turn"))?;
        turn.lock()?;
        // From now on the guard sees us.
        File::create(folder.join(format!("user-{}", std::process::id())))?;
        let settings = vec!["fsync=off".to_owned()];
        let kept = fs::read_to_string(folder.join("port")).unwrap_or_default();
        let (programs, port) = match kept.trim().parse() {
            Ok(port) if answers(found, port)? => (found.to_owned(), port),
            _ => {
                let programs = prepare(found, &folder)?;
                let (_, port) = run_somewhere(&programs, &folder, &settings, SHARED_GUARD)?;
                fs::write(folder.join("port"), port.to_string())?;
                (programs, port)
            }
        };
        Ok(Self {
            programs,
            folder,
            settings,
            port,
            guard: None,
        })
    }

    /// The address of the database `postgres`, as its superuser.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of("postgres", "postgres")
    }

    /// The address of a database, as that role.
    #[must_use]
    pub fn url_of(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/{database}", self.port)
    }

    /// Ends the server at once, as a crash does. The data stays.
    ///
    /// # Panics
    /// When the server is shared or does not run.
    pub fn crash(&mut self) {
        let guard = self.guard.as_mut().expect("a server of our own");
        let mut input = guard.stdin.take().expect("the server runs");
        input.write_all(b"keep\n").expect("the guard listens");
        drop(input);
        guard.wait().expect("the guard ends");
    }

    /// Starts the server again on the same port and data, after [`TempPostgres::crash`].
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_again(&mut self) {
        let started = run(
            &self.programs,
            &self.folder,
            &self.settings,
            GUARD,
            self.port,
        );
        self.guard =
            Some(started.unwrap_or_else(|error| panic!("PostgreSQL does not start: {error}")));
    }
}

impl Drop for TempPostgres {
    fn drop(&mut self) {
        let Some(guard) = &mut self.guard else { return };
        if guard.stdin.take().is_some() {
            let _ = guard.wait();
        } else {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Finds the programs, or says what to do.
fn programs() -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        return if folder.join("postgres").is_file() {
            Ok(folder)
        } else {
            Err(format!("{VARIABLE} names a folder without `postgres`"))
        };
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(PROVISIONED);
    match folder.canonicalize() {
        Ok(folder) if folder.join("postgres").is_file() => Ok(folder),
        _ => Err(format!(
            "these tests need PostgreSQL with pgvector: run `cargo xtask provision`, or let {VARIABLE} name the folder \
             of its programs"
        )),
    }
}

/// Makes a cluster in the folder; the programs that it can be run with.
fn prepare(found: &Path, folder: &Path) -> io::Result<PathBuf> {
    let root = is_root();
    if root {
        chown(folder, Some(NOBODY), Some(NOBODY))?;
    }
    let programs = reachable(found, folder, root)?;
    let made = as_owner(&programs.join("initdb"), root)
        .args(["-U", "postgres", "-A", "trust", "-E", "UTF8"])
        .args(["--no-locale", "--no-sync", "-D"])
        .arg(folder.join("data"))
        .current_dir(folder)
        .output()?;
    if made.status.success() {
        Ok(programs)
    } else {
        Err(other(&String::from_utf8_lossy(&made.stderr)))
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0)
}

/// The programs, copied when the user that runs them cannot get at them where they are.
fn reachable(found: &Path, folder: &Path, root: bool) -> io::Result<PathBuf> {
    let probe = as_owner(&found.join("postgres"), root)
        .arg("--version")
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if probe.is_ok_and(|status| status.success()) {
        return Ok(found.to_owned());
    }
    // bin, the installation, its package, and beside that the libraries: the tree is moved as a whole.
    let tree = found.ancestors().nth(3).unwrap_or(found);
    let copied = Command::new("cp")
        .arg("-RL")
        .arg(tree)
        .arg(folder.join("programs"))
        .status()?;
    // Whoever runs them also removes them.
    let readable = Command::new("chown")
        .args(["-R", &format!("{NOBODY}:{NOBODY}")])
        .arg(folder.join("programs"))
        .status()?;
    if !copied.success() || !readable.success() {
        return Err(other("its programs cannot be copied"));
    }
    let inside = found.strip_prefix(tree).unwrap_or(Path::new(""));
    Ok(folder.join("programs").join(inside))
}

/// A command as `nobody` where we are root.
fn as_owner(program: &Path, root: bool) -> Command {
    let mut command = Command::new(program);
    if root {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Starts the server on a free port.
fn run_somewhere(
    programs: &Path,
    folder: &Path,
    settings: &[String],
    guard: &str,
) -> io::Result<(Child, u16)> {
    let mut tries = 1;
    loop {
        let port = free_port()?;
        match run(programs, folder, settings, guard, port) {
            Ok(child) => return Ok((child, port)),
            Err(_) if tries < STARTS_MAX => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Starts the server under its guard and waits until it answers.
fn run(
    programs: &Path,
    folder: &Path,
    settings: &[String],
    guard: &str,
    port: u16,
) -> io::Result<Child> {
    let mut command = as_owner(Path::new("/bin/sh"), is_root());
    command
        .args(["-c", guard, "guard"])
        .arg(folder)
        .arg(programs.join("postgres"))
        .arg("-D")
        .arg(folder.join("data"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-k"])
        .arg(folder)
        .args(["-c", "max_connections=400"]);
    for setting in settings {
        command.args(["-c", setting]);
    }
    let mut guard = command
        .current_dir(folder)
        // What ends the test must not end the guard before it has cleaned up.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if answers(programs, port)? {
            return Ok(guard);
        }
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        if log.contains("could not create any TCP/IP sockets") {
            break;
        }
        sleep(Duration::from_millis(50));
    }
    // Keeps the folder for another try.
    if let Some(mut input) = guard.stdin.take() {
        let _ = input.write_all(b"keep\n");
    }
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    let _ = fs::remove_file(folder.join("log"));
    Err(other(&log))
}

fn answers(programs: &Path, port: u16) -> io::Result<bool> {
    let ready = Command::new(programs.join("pg_isready"))
        .args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()])
        .status()?;
    Ok(ready.success())
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn other(message: &str) -> io::Error {
    io::Error::other(message.trim().to_owned())
}
