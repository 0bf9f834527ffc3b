"""Cases P: connection, project configuration, usage."""

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
