"""When the language model is down, slow or talks nonsense: a clear error, nothing lost, nothing doubled."""

from uuid import uuid4

import pytest
from memobase.core.blob import BlobType
from memobase.error import ServerError

from conftest import ENTRY, FACTS, MERGE, chat, slots
from harness import FakeLlm, free_port


def fails(user):
    """A sync flush says that it failed, and what was to be flushed still waits."""
    user.insert(chat())
    with pytest.raises(ServerError) as error:
        user.flush(sync=True)
    assert str(error.value)
    assert len(user.buffer(BlobType.chat, "failed")) == 1 and user.buffer(BlobType.chat) == []
    assert user.profile() == [] and user.event() == []


def recovers(user):
    """The next flush takes the earlier message along, together with a new one; a further flush changes nothing."""
    user.insert(chat("I said something more."))
    for _ in range(2):
        assert user.flush(sync=True) is True
        assert [user.buffer(BlobType.chat, status) for status in ("idle", "processing", "failed")] == [[], [], []]
        assert sorted(slots(user.profile())) == [("basic_info", "name", "Gus"), ("interest", "foods", "Chinese food")]
        assert len(user.event()) == 1


def test_down(start_server, tmp_path):
    port = free_port()
    server = start_server(llm_url=f"http://127.0.0.1:{port}")
    user = server.client().get_or_create_user(str(uuid4()))
    fails(user)

    healthy = FakeLlm(tmp_path, port)
    try:
        healthy.canned(entry=ENTRY, extract=FACTS, merge=MERGE)
        recovers(user)
        assert any("My name is Gus" in asked and "something more" in asked for asked in healthy.requests())
    finally:
        healthy.kill()


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500, "headers": {}, "body": "boom"},
        {"cut_off": 20},
        {"prose": True},
        {"raw_body": "<html>not what you asked for</html>"},
        {"disconnect": True},
    ],
    ids=["500", "cut_off", "prose", "no_json", "disconnect"],
)
def test_bad_answers(user, gus, fake, answer):
    fake.script("*", answer, repeat=True)
    fails(user)
    fake.reset()
    gus()
    recovers(user)


def test_slower_than_allowed(start_server, gus, fake):
    server = start_server(MNEME_LLM_TIMEOUT_SECONDS="1")
    user = server.client().get_or_create_user(str(uuid4()))
    fake.script("*", {"stall_ms": 5000}, repeat=True)
    fails(user)
    fake.reset()
    gus()
    recovers(user)
