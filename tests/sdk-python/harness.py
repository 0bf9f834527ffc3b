"""The two processes of the suite: the server under test and the stand-in language model."""

import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import httpx
from memobase import MemoBaseClient

ROOT = Path(__file__).resolve().parents[2]
SERVER = Path(os.environ.get("MNEME_TEST_SERVER", ROOT / "target/release/mneme"))
FAKE_LLM = Path(os.environ.get("MNEME_TEST_FAKE_LLM", ROOT / "target/debug/mneme-fake-llm"))
TOKEN = "secret"
START_SECONDS = 60
# What the language model is asked to do, as the stand-in names it.
STEPS = ("entry_notes", "extract", "merge", "repair", "pick", "tag")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, seconds=20.0):
    """What the condition answers as soon as it is true; fails when it never is."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(0.02)
    raise AssertionError(f"not true within {seconds} s: {condition.__name__}")


class Process:
    """A child process that announces where it listens in one line of standard output."""

    def __init__(self, arguments, log: Path, environment: dict[str, str]):
        self.log = log
        # The settings of whoever runs the suite must not reach the processes under test.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MNEME_", "MEMOBASE_"))}
        with log.open("ab") as errors:
            self.child = subprocess.Popen(
                [str(a) for a in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                env=inherited | environment, text=True,
            )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def announcement(self) -> str:
        try:
            line = self.lines.get(timeout=START_SECONDS)
        except queue.Empty:
            line = None
        if line is None:
            self.kill()
            raise RuntimeError(f"{self.child.args[0]} did not start:\n{self.log.read_text(errors='replace')[-3000:]}")
        return line

    def kill(self):
        """Ends it at once, as a crash would."""
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()

    def stop(self):
        """Ends it as an operator would."""
        self.child.terminate()
        try:
            self.child.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()


class Server(Process):
    """`mneme serve` on a data folder."""

    def __init__(self, folder: Path, llm_url: str | None, **settings: str):
        self.folder, self.llm_url, self.settings = folder, llm_url, settings
        model = {"MNEME_LLM_BASE_URL": f"{llm_url}/v1", "MNEME_LLM_API_KEY": "none", "MNEME_LLM_MODEL": "fake"} if llm_url else {}
        command = [SERVER, "serve", "--listen", "127.0.0.1:0", "--data", folder / "data", "--token", TOKEN, "--json"]
        super().__init__(command, folder / "server.log", model | settings)
        announced = json.loads(self.announcement())
        self.url, self.token = announced["url"], announced["token"]

    def again(self) -> "Server":
        """A new process with the same data and settings."""
        return Server(self.folder, self.llm_url, **self.settings)

    def client(self, token: str = TOKEN) -> MemoBaseClient:
        return MemoBaseClient(project_url=self.url, api_key=token)

    def http(self, **headers: str) -> httpx.Client:
        """Raw HTTP below the API prefix; without arguments with the right token."""
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers or {"Authorization": f"Bearer {TOKEN}"}, timeout=60)


class FakeLlm(Process):
    """The stand-in for an OpenAI-compatible provider, and its remote control."""

    def __init__(self, folder: Path, port: int = 0):
        super().__init__([FAKE_LLM, "--port", port], folder / "fake-llm.log", {})
        self.url = self.announcement().removeprefix("listening on ")
        self.admin = httpx.Client(base_url=f"{self.url}/admin", timeout=10)

    def _post(self, path: str, body: dict | None = None):
        self.admin.post(path, json=body).raise_for_status()

    def reset(self):
        """Forgets canned and scripted answers, delays and requests."""
        self.canned(entry=None, extract=None, merge=None, tag=None, pick=None)
        for step in ("*", *STEPS):
            self.script(step)
        self.delay(0)
        # Without a body: an unread one may cost the connection.
        self._post("/reset")

    def canned(self, **answers: str | None):
        """One answer for each kind of call: entry, extract, merge, tag, pick."""
        self._post("/canned", answers)

    def delay(self, milliseconds: int):
        self._post("/config", {"delay_ms": milliseconds})

    def script(self, step: str, *answers: dict, repeat: bool = False):
        """The next answers of a step, `*` for any, in place of the canned ones."""
        self._post("/script", {"step": step, "answers": list(answers), "repeat": repeat})

    def requests(self) -> list[str]:
        """What was asked since the last reset, oldest first, each as JSON text."""
        asked = self.admin.get("/requests").raise_for_status().json()
        return [json.dumps(request, ensure_ascii=False) for request in asked]
