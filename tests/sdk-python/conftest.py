"""Fixtures: one server and one stand-in model for the whole run, a fresh user for each test."""

from uuid import uuid4

import pytest
from memobase import ChatBlob
from memobase.error import ServerError

from harness import FakeLlm, Server

ENTRY = "- User is called Gus. // info\n- User likes Chinese food // info"
FACTS = "- basic_info::name::Gus\n- interest::foods::Chinese food"
MERGE = "1. APPEND::APPEND\n2. APPEND::APPEND"


@pytest.fixture(scope="session")
def fake(tmp_path_factory):
    process = FakeLlm(tmp_path_factory.mktemp("fake"))
    yield process
    process.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory, fake):
    process = Server(tmp_path_factory.mktemp("server"), fake.url)
    yield process
    process.stop()


@pytest.fixture(scope="module")
def rules_server(tmp_path_factory):
    """A server with nothing configured: the built-in rules distil."""
    process = Server(tmp_path_factory.mktemp("rules"), None)
    yield process
    process.stop()


@pytest.fixture
def start_server(tmp_path, fake):
    """Starts further servers, each on a fresh data folder unless it is told to go on with another's."""
    started = []

    def start(llm_url=None, after=None, **settings):
        if after is not None:
            process = after.again()
        else:
            folder = tmp_path / f"server{len(started)}"
            folder.mkdir()
            process = Server(folder, llm_url or fake.url, MNEME_EMBEDDER="tiny", **settings)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()


@pytest.fixture(autouse=True)
def no_leftovers(fake):
    """The stand-in forgets what an earlier test told it."""
    fake.reset()


@pytest.fixture
def client(server):
    return server.client()


@pytest.fixture
def http(server):
    with server.http() as raw:
        yield raw


@pytest.fixture
def user(client):
    """A fresh user, who is erased afterwards so that nothing of the test goes on in the background."""
    fresh = client.get_or_create_user(str(uuid4()))
    yield fresh
    try:
        client.delete_user(fresh.user_id)
    except ServerError:
        pass  # The test erased the user itself.


@pytest.fixture
def gus(fake):
    """Canned answers about somebody called Gus; call it again to go back to them."""

    def answer():
        fake.canned(entry=ENTRY, extract=FACTS, merge=MERGE, tag="- emotion::happy", pick='{"reason": "fits", "ids": [0]}')

    answer()
    return answer


@pytest.fixture
def known(user, gus):
    """A user with one flush behind them: two slots, one event of two gists."""
    user.insert(chat())
    assert user.flush(sync=True)
    return user


@pytest.fixture
def config(client):
    """Sets the project's profile configuration, which is unset again afterwards."""
    yield client.update_config
    client.update_config("")


def chat(content="My name is Gus and I like Chinese food.", **more) -> ChatBlob:
    return ChatBlob(messages=[{"role": "user", "content": content, **more}])


def said(*contents) -> list[dict]:
    """Messages of the user, as `chats` arguments take them."""
    return [{"role": "user", "content": content} for content in contents]


def slots(profiles) -> list[tuple[str, str, str]]:
    return [(p.topic, p.sub_topic, p.content) for p in profiles]


def sections(context: str) -> tuple[list[str], list[str]]:
    """The profile and the event lines of a context with the standard template; fails on any other text."""
    lines = context.split("\n")
    assert lines[:2] == ["---", "# Memory"] and lines[2].strip(), context
    assert lines[3] == "## User Current Profile:" and lines[-2:] == ["---", ""], context
    middle = lines.index("## Past Events:")
    assert lines[middle - 1] == "", context
    return lines[4 : middle - 1], [line for line in lines[middle + 1 : -2] if line]
