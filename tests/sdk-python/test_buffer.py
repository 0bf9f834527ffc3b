"""Cases F: the buffer and its flushes."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from memobase.core.blob import BlobType
from memobase.error import ServerError

from conftest import chat, slots
from harness import wait_until

GUS = {("basic_info", "name", "Gus"), ("interest", "foods", "Chinese food")}


def waiting(user, status="idle") -> list[str]:
    return user.buffer(BlobType.chat, status)


def has_gus(user, events=1) -> bool:
    """Whether the memory is complete and nothing is in it twice."""
    return sorted(slots(user.profile())) == sorted(GUS) and len(user.event()) == events


def test_f1_idle(user):
    blob = user.insert(chat())
    (row,) = waiting(user)
    assert row != blob


def test_f2_other_states(user):
    user.insert(chat())
    assert [waiting(user, status) for status in ("done", "failed", "processing")] == [[], [], []]


def test_f3_sync(user, gus):
    user.insert(chat())
    assert user.flush(sync=True) is True
    assert waiting(user) == [] and has_gus(user)


def test_f4_again(known, fake):
    fake.reset()
    assert known.flush(sync=True) is True
    assert fake.requests() == [] and has_gus(known)


def test_f5_async(user, gus, fake):
    fake.delay(500)
    user.insert(chat())
    start = time.monotonic()
    assert user.flush() is True
    assert time.monotonic() - start < 0.4
    assert len(waiting(user, "processing")) == 1 and waiting(user) == []
    wait_until(lambda: has_gus(user))
    assert waiting(user, "processing") == []


def test_f6_sync_waits_for_async(user, gus, fake):
    fake.delay(300)
    user.insert(chat())
    user.flush()
    assert user.flush(sync=True) is True
    assert has_gus(user)


@pytest.mark.parametrize("step", ["entry_notes", "extract", "merge"])
def test_f9_provider_refuses(user, gus, fake, step):
    fake.script(step, {"status": 400, "headers": {}, "body": '{"error": {"message": "no"}}'}, repeat=True)
    user.insert(chat())
    with pytest.raises(ServerError):
        user.flush(sync=True)
    assert len(waiting(user, "failed")) == 1 and waiting(user) == []
    assert user.event() == [] and user.profile() == []

    fake.reset()
    gus()
    assert user.flush(sync=True) is True
    assert has_gus(user) and waiting(user, "failed") == []


def test_f10_nothing_worth_noting(user, gus, fake):
    fake.canned(entry="", extract="", merge="")
    user.insert(chat("hm"))
    assert user.flush(sync=True) is True
    assert user.event() == [] and user.profile() == []
    assert [waiting(user, status) for status in ("idle", "processing", "failed")] == [[], [], []]


def test_f12_killed_while_flushing(start_server, gus, fake):
    fake.delay(3000)
    # A batch belongs to its worker until the lease runs out, also when the worker is dead.
    server = start_server(MNEME_LEASE_SECONDS="5")
    user = server.client().get_or_create_user(str(uuid4()))
    user.insert(chat())
    user.flush()
    wait_until(fake.requests)
    server.kill()

    fake.delay(0)
    user = start_server(after=server).client().get_user(user.user_id)
    wait_until(lambda: has_gus(user), seconds=30)
    assert user.flush(sync=True) is True
    # The answer that the killed process was waiting for would have come by now.
    time.sleep(3)
    assert has_gus(user) and waiting(user, "processing") == []


def test_f13_overlapping_flushes(user, gus, fake):
    fake.delay(200)
    with ThreadPoolExecutor(2) as threads:
        user.insert(chat())
        first = threads.submit(user.flush, sync=True)
        wait_until(fake.requests)
        user.insert(chat())
        second = threads.submit(user.flush, sync=True)
        assert first.result() is True and second.result() is True
    assert sorted((p.topic, p.sub_topic) for p in user.profile()) == [("basic_info", "name"), ("interest", "foods")]
    assert len(user.event()) == 2 and waiting(user) == []


def test_f13_simultaneous_flushes_of_one_batch(user, gus, fake):
    fake.delay(100)
    user.insert(chat())
    start = threading.Barrier(4)

    def flush():
        start.wait()
        return user.flush(sync=True)

    with ThreadPoolExecutor(4) as threads:
        assert all([flushed.result() for flushed in [threads.submit(flush) for _ in range(4)]])
    assert has_gus(user)


def test_f14_in_order(user, gus, fake):
    fake.script("entry_notes", *({"text": f"- {word} thing happened // event"} for word in ("First", "Second", "Third")))
    fake.delay(100)
    for word in ("one", "two", "three"):
        user.insert(chat(f"This is {word}-{user.user_id}."))
        assert user.flush() is True
    wait_until(lambda: len(user.event()) == 3)
    newest_first = [event.event_data.event_tip for event in user.event()]
    assert [tip.split()[1] for tip in newest_first] == ["Third", "Second", "First"]
    asked = "\n".join(fake.requests())
    places = [asked.index(f"{word}-{user.user_id}") for word in ("one", "two", "three")]
    assert places == sorted(places)
