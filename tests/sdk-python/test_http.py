"""Cases H: what the wire looks like below the SDK."""

from uuid import UUID, uuid4

import pytest

DETAIL_404, DETAIL_405 = {"detail": "Not Found"}, {"detail": "Method Not Allowed"}
CHAT = {"blob_type": "chat", "blob_data": {"messages": [{"role": "user", "content": "hi"}]}}


def test_h1_before_and_after_the_token(server, http):
    with server.http(Accept="*/*") as anonymous:
        for method, path in (("GET", "/project/profile_config"), ("GET", "/nowhere"), ("PATCH", "/users")):
            answer = anonymous.request(method, path)
            assert answer.status_code == 401, path
            body = answer.json()
            assert (body["data"], body["errno"]) == (None, 401)
            assert body["errmsg"].startswith("Unauthorized access to ")
    assert (http.get("/nowhere").status_code, http.get("/nowhere").json()) == (404, DETAIL_404)
    assert (http.patch("/users").status_code, http.patch("/users").json()) == (405, DETAIL_405)
    slashed = http.get("/users/")
    assert slashed.status_code == 307 and slashed.headers["location"].endswith("/api/v1/users")


def test_h2_scheme_is_case_sensitive(server):
    with server.http(Authorization="bearer secret") as lower_case:
        assert lower_case.get("/project/profile_config").status_code == 401


def test_h4_envelope(http, known):
    uid, nobody = known.user_id, uuid4()
    calls = [
        ("GET", "/healthcheck", None), ("GET", "/project/profile_config", None), ("POST", "/project/profile_config", {"profile_config": "[["}),
        ("GET", f"/users/{uid}", None), ("GET", f"/users/{nobody}", None), ("POST", "/users", {"id": uid}),
        ("POST", f"/blobs/insert/{uid}", CHAT), ("POST", f"/blobs/insert/{nobody}", CHAT), ("GET", f"/blobs/{uid}/{nobody}", None),
        ("DELETE", f"/blobs/{uid}/{nobody}", None), ("GET", f"/users/blobs/{uid}/chat", None),
        ("GET", f"/users/buffer/capacity/{uid}/chat", None), ("POST", f"/users/buffer/{nobody}/chat?wait_process=true", None),
        ("GET", f"/users/profile/{uid}", None), ("POST", f"/users/profile/{uid}", {"content": "c", "attributes": None}),
        ("DELETE", f"/users/profile/{uid}/{nobody}", None), ("GET", f"/users/event/{uid}", None),
        ("DELETE", f"/users/event/{uid}/{nobody}", None), ("GET", f"/users/event/search/{uid}?query=Gus", None),
        ("GET", f"/users/event_gist/search/{uid}?query=Gus", None), ("GET", f"/users/context/{uid}", None),
        ("GET", f"/users/context/{uid}?chats_str=[[", None),
    ]
    errors = 0
    for method, path, body in calls:
        answer = http.request(method, path, json=body) if body is not None else http.request(method, path)
        assert answer.status_code == 200, (path, answer.text)
        envelope = answer.json()
        assert list(envelope) == ["data", "errno", "errmsg"], path
        assert isinstance(envelope["errno"], int) and isinstance(envelope["errmsg"], str), path
        assert (envelope["errno"] == 0) == (envelope["errmsg"] == ""), (path, envelope)
        errors += envelope["errno"] != 0
    assert errors == 9


@pytest.mark.parametrize("value", ["True", "FALSE", "YES", "0", "on", "f"])
def test_h5_truth_values(http, user, value):
    answer = http.post(f"/blobs/insert/{user.user_id}?wait_process={value}", json=CHAT)
    assert answer.status_code == 200 and UUID(answer.json()["data"]["id"])


@pytest.mark.parametrize("value", ["maybe", "2", ""])
def test_h5_no_truth_values(http, user, value):
    answer = http.post(f"/blobs/insert/{user.user_id}?wait_process={value}", json=CHAT)
    assert answer.status_code == 422 and isinstance(answer.json()["detail"], list)


def test_h6_forms_of_a_uuid(http, user):
    http.put(f"/users/{user.user_id}", json={"mark": user.user_id})
    plain = UUID(user.user_id)
    for form in (str(plain).upper(), plain.hex, f"{{{plain}}}", plain.urn):
        answer = http.get(f"/users/{form}").json()
        assert answer["errno"] == 0 and answer["data"]["data"] == {"mark": user.user_id}, form


def test_h7_content_types(http, user):
    body = b'{"profile_config": ""}'
    path = "/project/profile_config"
    for accepted in ({}, {"Content-Type": "application/json"}, {"Content-Type": "application/vnd.x+json"}):
        answer = http.post(path, content=body, headers=accepted)
        assert (answer.status_code, answer.json()["errno"]) == (200, 0), accepted
    for refused in ("text/plain", "application/x-www-form-urlencoded"):
        assert http.post(path, content=body, headers={"Content-Type": refused}).status_code == 422, refused


def test_h8_negative_numbers(http, known):
    uid = known.user_id
    for path in (
        f"/users/blobs/{uid}/chat?page=-1", f"/users/blobs/{uid}/chat?page_size=-1", f"/users/event/{uid}?topk=-1",
        f"/users/event/search/{uid}?query=Gus&topk=-1", f"/users/event_gist/search/{uid}?query=Gus&topk=-1",
    ):
        answer = http.get(path)
        assert (answer.status_code, answer.json()["errno"]) == (200, 400), path


def test_early_answers_leave_the_connection_usable(server):
    """An answer that does not need the body must not end the connection under the client's next request."""
    with server.http() as right, server.http(Authorization="Bearer wrong") as wrong:
        for _ in range(150):
            assert right.post("/nowhere", json={"text": "x" * 5000}).status_code == 404
            assert right.patch("/users", json={"text": "x" * 5000}).status_code == 405
            assert wrong.post("/users", json={"text": "x" * 5000}).status_code == 401
