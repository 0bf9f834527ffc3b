"""Cases P: connection, project configuration, usage."""

from datetime import UTC, datetime

import httpx
import pytest
from memobase import MemoBaseClient
from memobase.error import ServerError

from conftest import chat
from harness import TOKEN, free_port


def stored(http) -> str:
    return http.get("/project/profile_config").json()["data"]["profile_config"]


def test_p1_base_url(server):
    for url in (server.url, f"{server.url}/"):
        client = MemoBaseClient(project_url=url, api_key=TOKEN)
        assert client.base_url == f"{server.url}/api/v1"
        assert client.ping() and isinstance(client.get_config(), str)


def test_p2_ping(client):
    assert client.ping() is True


def test_p3_ping_needs_no_key(server):
    assert server.client("wrong").ping() is True


def test_p4_wrong_key(server):
    with pytest.raises(httpx.HTTPStatusError) as error:
        server.client("wrong").get_config()
    assert error.value.response.status_code == 401


def test_p5_nobody_listens():
    with pytest.raises(httpx.ConnectError):
        MemoBaseClient(project_url=f"http://127.0.0.1:{free_port()}", api_key=TOKEN).ping()


def test_p6_config_of_a_fresh_server(start_server):
    assert start_server().client().get_config() == ""


def test_p7_config_round_trip(client, config):
    assert config("\nlanguage: zh\n") is True
    assert client.get_config() == "\nlanguage: zh\n"


def test_p8_config_that_is_no_yaml(client, config):
    config("language: en")
    with pytest.raises(ServerError, match="^Invalid profile config:"):
        config("[[[")
    assert client.get_config() == "language: en"


def test_p9_config_with_a_wrong_type(config):
    with pytest.raises(ServerError, match="^Invalid profile config:"):
        config("overwrite_user_profiles:\n  - topic: t\n    sub_topics:\n      - name: s\n        description: true\n")


def test_p10_config_that_is_no_mapping(config, http):
    with pytest.raises(ServerError):
        config("just text")
    answer = http.post("/project/profile_config", json={"profile_config": "just text"})
    assert (answer.status_code, answer.json()["errno"]) == (200, 400)


def test_p11_topic_without_sub_topics(config, user, gus):
    try:
        config("overwrite_user_profiles:\n  - topic: hobbies\n")
    except ServerError as refused:
        assert str(refused).startswith("Invalid profile config:")
    user.insert(chat())
    assert user.flush(sync=True) is True
    assert len(user.event()) == 1


def test_p12_longest_config(client, config):
    longest = "#" * 65_535
    assert config(longest) is True
    with pytest.raises(ServerError, match="Profile config is too long"):
        config(longest + "#")
    assert client.get_config() == longest


def test_p13_usage(client):
    usage = client.get_usage()
    assert usage["token_left"] is None
    datetime.fromisoformat(usage["next_refill_at"])
    assert isinstance(usage["project_token_cost_month"], int) and usage["project_token_cost_month"] >= 0


def test_p14_daily_usage(client, user):
    user.insert(chat())
    days = client.get_daily_usage(2)
    keys = {"date", "total_insert", "total_success_insert", "total_input_token", "total_output_token"}
    assert [set(day) for day in days] == [keys, keys]
    assert days[0]["date"] == datetime.now(UTC).date().isoformat() and days[1]["date"] < days[0]["date"]
    assert days[0]["total_insert"] >= 1


def test_p15_users(client, user):
    (row,) = client.get_all_users(limit=1)
    assert set(row) == {"id", "created_at", "additional_fields", "project_id", "updated_at", "profile_count", "event_count"}
    assert row["project_id"] == "__root__"


def test_p16_users_by_search(client, user):
    assert client.get_all_users(search="a b", order_by="event_count", order_desc=False) == []
    assert [row["id"] for row in client.get_all_users(search=user.user_id[3:20])] == [user.user_id]


def test_p17_users_in_an_unknown_order(client):
    with pytest.raises(httpx.HTTPStatusError) as error:
        client.get_all_users(order_by="nope")
    assert error.value.response.status_code == 422
