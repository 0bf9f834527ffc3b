"""Cases R: profile slots, their truncation, and how a flush changes them."""

from uuid import UUID, uuid4

import pytest
from memobase.error import ServerError

from conftest import ENTRY, chat, slots

FIVE = [("work", "title"), ("basic_info", "name"), ("basic_info", "age"), ("interest", "foods"), ("Interest", "Movies")]


@pytest.fixture
def five(user):
    """A user with five slots, written in this order."""
    for topic, sub_topic in FIVE:
        user.add_profile(f"{topic} {sub_topic}", topic, sub_topic)
    return user


def names(profiles) -> list[str]:
    return [f"{p.topic}.{p.sub_topic}" for p in profiles]


def flushed(user, fake, extract, merge="1. APPEND::APPEND\n2. APPEND::APPEND\n3. APPEND::APPEND") -> dict[tuple[str, str], str]:
    """The slots after a flush with these answers."""
    fake.canned(entry=ENTRY, extract=extract, merge=merge)
    user.insert(chat())
    assert user.flush(sync=True) is True
    return {(topic, sub_topic): content for topic, sub_topic, content in slots(user.profile())}


def test_r1_add(user):
    made = user.add_profile("test", "topic", "sub_topic")
    (profile,) = user.profile()
    assert slots([profile]) == [("topic", "sub_topic", "test")]
    assert profile.id == UUID(made) and profile.describe == "topic: sub_topic - test"


def test_r2_as_json(user):
    made = user.add_profile("test", "topic", "sub_topic")
    profile = user.profile(need_json=True)["topic"]["sub_topic"]
    assert set(profile) == {"id", "content", "created_at", "updated_at"}
    assert (str(profile["id"]), profile["content"]) == (made, "test")


def test_r3_update(user):
    made = user.add_profile("c", "t", "s")
    (before,) = user.profile()
    assert user.update_profile(made, "c2", "t2", "s2") is True
    (after,) = user.profile()
    assert slots([after]) == [("t2", "s2", "c2")]
    assert after.updated_at > before.updated_at and after.created_at == before.created_at


def test_r4_delete_twice(user):
    made = user.add_profile("c", "t", "s")
    assert user.delete_profile(made) is True
    assert user.profile() == []
    with pytest.raises(ServerError, match=f"Profile {made} not found for user {user.user_id}"):
        user.delete_profile(made)


def test_r5_update_of_an_unknown_id(user):
    """The original says yes to this and changes nothing; here it is an error."""
    with pytest.raises(ServerError, match="not found"):
        user.update_profile(str(uuid4()), "c", "t", "s")
    assert user.profile() == []


def test_r6_newest_first(five):
    assert names(five.profile()) == ["Interest.Movies", "interest.foods", "basic_info.age", "basic_info.name", "work.title"]


def test_r7_prefer_topics(five):
    preferred = names(five.profile(prefer_topics=["interest", "work"]))
    assert preferred == ["interest.foods", "work.title", "Interest.Movies", "basic_info.age", "basic_info.name"]


def test_r8_only_topics(five):
    assert names(five.profile(only_topics=["basic_info"])) == ["basic_info.age", "basic_info.name"]
    assert five.profile(only_topics=["nope"]) == []


def test_r9_max_subtopic_size(five):
    assert names(five.profile(max_subtopic_size=1)) == ["Interest.Movies", "interest.foods", "basic_info.age", "work.title"]


def test_r10_topic_limits(five):
    assert names(five.profile(topic_limits={"basic_info": 0})) == ["Interest.Movies", "interest.foods", "work.title"]
    both = names(five.profile(topic_limits={"basic_info": -1}, max_subtopic_size=1))
    assert "basic_info.age" in both and "basic_info.name" in both


def test_r11_max_token_size(five):
    assert names(five.profile(max_token_size=1)) == ["Interest.Movies"]
    assert len(five.profile(max_token_size=0)) == 5


def test_r16_update_and_append(known, fake, http):
    after = flushed(known, fake, "- basic_info::name::Gus\n- interest::foods::Ramen", "1. UPDATE::Gustav::x\n2. APPEND::APPEND")
    assert after == {("basic_info", "name"): "Gustav::x", ("interest", "foods"): "Chinese food;Ramen"}
    raw = http.get(f"/users/profile/{known.user_id}").json()["data"]["profiles"]
    assert [profile["attributes"]["update_hits"] for profile in raw] == [1, 1]


def test_r16_what_is_there_already_is_not_appended(known, fake):
    after = flushed(known, fake, "- interest::foods::Chinese food", "1. APPEND::APPEND")
    assert after[("interest", "foods")] == "Chinese food"


def test_r17_facts_of_one_slot(user, fake):
    assert flushed(user, fake, "- basic_info::name::Gus\n- basic_info::name::second") == {("basic_info", "name"): "Gus; second"}


def test_r18_separator_inside_a_fact(user, fake):
    assert flushed(user, fake, "- interest::foods::std::vector") == {("interest", "foods"): "std::vector"}


def test_r19_words_that_look_like_nothing(user, fake):
    kept = flushed(user, fake, "- basic_info::name::Simone\n- interest::sports::NBA\n- interest::books::DNA")
    assert sorted(kept.values()) == ["DNA", "NBA", "Simone"]


@pytest.mark.parametrize("nothing", ["none", "unknown", "N/A"])
def test_r19_words_that_are_nothing(user, fake, nothing):
    assert flushed(user, fake, f"- basic_info::name::Simone\n- work::title::{nothing}") == {("basic_info", "name"): "Simone"}
