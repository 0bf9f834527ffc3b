"""Cases C: memory as text for a prompt."""

import sqlite3
import time
from datetime import timedelta
from uuid import uuid4

import pytest
from memobase.error import ServerError

from conftest import chat, said, sections

PROFILE = ["- basic_info::name: Gus", "- interest::foods: Chinese food"]


def test_c1_new_user(user, client):
    assert sections(user.context()) == (["- "], [])
    assert sections(client.get_user(str(uuid4()), no_get=True).context()) == (["- "], [])


def test_c2_with_memory(known):
    profile, events = sections(known.context())
    assert sorted(profile) == PROFILE
    assert [line.split(" // ")[0] for line in events] == ["- User is called Gus.", "- User likes Chinese food"]


def test_c3_tiny_budget(known):
    profile, events = sections(known.context(max_token_size=5))
    assert len(profile) == 1 and profile[0] in PROFILE and events == []


def test_c4_shares(known):
    profile, events = sections(known.context(profile_event_ratio=1))
    assert sorted(profile) == PROFILE and events == []
    profile, events = sections(known.context(profile_event_ratio=1, fill_window_with_events=True))
    assert sorted(profile) == PROFILE and len(events) == 2


def test_c5_share_out_of_range(known):
    with pytest.raises(ServerError):
        known.context(profile_event_ratio=1.5)


def test_c6_only_topics(known):
    profile, events = sections(known.context(only_topics=["nope"]))
    assert profile == ["- "] and len(events) == 2


def test_c7_events_like_the_chat(known):
    talk = said("What is the weather like?", "I am hungry.", "Where shall I eat?", "Which food does the user like?")
    profile, events = sections(known.context(chats=talk))
    assert sorted(profile) == PROFILE and any("Chinese food" in line for line in events)
    assert sections(known.context(chats=talk, event_similarity_threshold=0.99))[1] == []
    # Only the last three messages are the question.
    other = said("User is called Gus", *(message["content"] for message in talk[1:]))
    for threshold in (0.05, 0.2, 0.4):
        assert known.context(chats=other, event_similarity_threshold=threshold) == known.context(chats=talk, event_similarity_threshold=threshold)


def test_c9_own_template(known):
    profile, events = sections(known.context())
    text = known.context(customize_context_prompt="A & {profile_section}\n# {event_section}")
    assert text == "A & " + "\n".join(profile) + "\n# " + "\n".join(events)
    assert known.context(customize_context_prompt="{{x}} é+%") == "{x} é+%"


@pytest.mark.parametrize("template", ["{oops}", "{profile_section:>200000000}", "{profile_section.__class__}", "{", "}"])
def test_c10_template_with_more_than_names(known, template):
    start = time.monotonic()
    with pytest.raises(ServerError):
        known.context(customize_context_prompt=template)
    assert time.monotonic() - start < 1


def test_c11_separators_in_the_chat(known):
    profile, _ = sections(known.context(chats=said("Gus & food", "a & b")))
    assert sorted(profile) == PROFILE
    # What follows a '#' never reaches the server.
    with pytest.raises(ServerError, match="Invalid JSON"):
        known.context(chats=said("a # b"))


def test_c12_stray_escapes_in_the_chat(known):
    profile, _ = sections(known.context(chats=said("a+b 100% %20")))
    assert sorted(profile) == PROFILE


def age(database, days: int):
    """Moves everything in a closed database into the past: no client can say when something was recorded."""
    shift, moved = int(timedelta(days=days).total_seconds() * 1_000_000), 0
    with sqlite3.connect(database) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if "recorded_at" in [column[1] for column in connection.execute(f"PRAGMA table_info('{table}')")]:
                moved += connection.execute(f"UPDATE \"{table}\" SET recorded_at = recorded_at - {shift}").rowcount
    connection.close()
    assert moved > 0, "no row has a time of recording"


def test_c13_only_older_events(start_server, gus):
    server = start_server()
    user = server.client().get_or_create_user(str(uuid4()))
    user.insert(chat())
    user.flush(sync=True)
    assert len(sections(user.context(time_range_in_days=3))[1]) == 2
    server.stop()

    databases = [path for path in (server.folder / "data").rglob("*") if path.is_file() and path.open("rb").read(15) == b"SQLite format 3"]
    age(databases[0], days=10)
    user = start_server(after=server).client().get_user(user.user_id)
    assert sections(user.context(time_range_in_days=3))[1] == []
    assert len(sections(user.context(time_range_in_days=30))[1]) == 2
