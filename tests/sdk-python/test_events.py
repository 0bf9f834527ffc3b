"""Cases E: the event timeline and its search."""

from uuid import uuid4

import httpx
import pytest
from memobase.core.user import EventTag
from memobase.error import ServerError

from conftest import ENTRY, FACTS, MERGE, chat


@pytest.fixture
def two_events(known, fake):
    """A second event, about something else."""
    fake.canned(entry="- User moved to Lisbon with a bicycle // event", extract="- contact_info::city::Lisbon", merge="1. APPEND::APPEND")
    known.insert(chat("I moved to Lisbon with my bicycle."))
    assert known.flush(sync=True)
    return known


def test_e1_after_flush(known):
    (event,) = known.event()
    assert event.event_data.event_tip == ENTRY
    delta = [(item.attributes["topic"], item.attributes["sub_topic"], item.content) for item in event.event_data.profile_delta]
    assert sorted(delta) == [("basic_info", "name", "Gus"), ("interest", "foods", "Chinese food")]
    assert event.event_data.event_tags is None and event.similarity is None


def test_e2_limits(two_events):
    (newest,) = two_events.event(topk=1, max_token_size=1000, need_summary=True)
    assert "Lisbon" in newest.event_data.event_tip
    assert two_events.event(max_token_size=1) == []
    assert two_events.event(topk=0) == []


def test_e3_tags(user, config, fake):
    config("event_tags:\n  - name: emotion\n  - name: Emotion X\n    description: another\n  - name: goal\n")
    fake.canned(entry=ENTRY, extract=FACTS, merge=MERGE, tag="- emotion::happy\n- Emotion X::calm\n- goal::none\n- unasked::yes")
    user.insert(chat())
    assert user.flush(sync=True) is True
    (event,) = user.event()
    assert event.event_data.event_tags == [EventTag(tag="emotion", value="happy"), EventTag(tag="emotion_x", value="calm")]


def test_e4_update(known):
    (before,) = known.event()
    assert known.update_event(before.id, {"event_tip": "- t", "profile_delta": None, "unknown": 1}) is True
    (after,) = known.event()
    assert after.event_data.event_tip == "- t"
    assert after.event_data.profile_delta == before.event_data.profile_delta
    assert after.event_data.event_tags == before.event_data.event_tags
    with pytest.raises(httpx.HTTPStatusError) as error:
        known.update_event(before.id, {"event_tags": [{"tag": "x"}]})
    assert error.value.response.status_code == 422
    with pytest.raises(ServerError, match="not found"):
        known.update_event(str(uuid4()), {"event_tip": "- t"})


def test_e5_delete_twice(known):
    (event,) = known.event()
    assert known.search_event_gist("Gus", similarity_threshold=0.0)
    assert known.delete_event(event.id) is True
    with pytest.raises(ServerError, match=f"User event {event.id} not found"):
        known.delete_event(event.id)
    assert known.event() == [] and known.search_event_gist("Gus", similarity_threshold=0.0) == []


def test_e6_search(two_events):
    found = two_events.search_event("The name of the user is Gus", similarity_threshold=0.0)
    similarities = [event.similarity for event in found]
    assert found and all(isinstance(similarity, float) for similarity in similarities)
    assert similarities == sorted(similarities, reverse=True)
    assert found[0].event_data.event_tip == ENTRY
    assert len(two_events.search_event("Gus", topk=1, similarity_threshold=0.0)) == 1


def test_e7_gists(known):
    found = known.search_event_gist("Gus é", similarity_threshold=0.0)
    assert found and all(gist.gist_data.content.startswith("-") for gist in found)
    assert "Gus" in found[0].gist_data.content
    best = found[0].similarity
    assert best > 0 and known.search_event_gist("Gus é", similarity_threshold=best + 1e-4) == []
    assert found[0].id in [gist.id for gist in known.search_event_gist("Gus é", similarity_threshold=best - 1e-4)]


def test_e8_nothing_is_alike(known):
    assert known.search_event_gist("quarterly report of the shipping company", similarity_threshold=0.99) == []
