"""Cases U: users."""

from uuid import UUID, uuid1, uuid4

import httpx
import pytest
from memobase.error import ServerError
from memobase.utils import string_to_uuid

from conftest import chat, sections

# A version-7 UUID; the standard library of the oldest supported Python cannot make one.
UUID7 = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.fixture
def uid(client):
    made = client.add_user({"n": "x"})
    yield made
    try:
        client.delete_user(made)
    except ServerError:
        pass  # The test erased the user itself.


def refused(call, status=422):
    with pytest.raises(httpx.HTTPStatusError) as error:
        call()
    assert error.value.response.status_code == status


def test_u1_add(uid):
    assert str(UUID(uid)) == uid and UUID(uid).version == 4


def test_u2_get(client, uid):
    fields = client.get_user(uid).fields
    assert set(fields) == {"data", "id", "created_at", "updated_at"}
    assert (fields["data"], fields["id"]) == ({"n": "x"}, None)
    assert fields["created_at"].endswith("Z") and fields["updated_at"].endswith("Z")


def test_u3_update(client, uid):
    before = client.get_user(uid).fields
    assert client.update_user(uid, {"n": "y"}) == uid
    after = client.get_user(uid).fields
    assert after["data"] == {"data": {"n": "y"}}
    assert after["updated_at"] > before["updated_at"] and after["created_at"] == before["created_at"]


def test_u4_add_twice(client, uid):
    with pytest.raises(ServerError):
        client.add_user(id=uid)
    assert client.get_user(uid).fields["data"] == {"n": "x"}


def test_u5_id_that_is_no_uuid(client):
    refused(lambda: client.add_user(id="bob"))
    refused(lambda: client.get_user("bob"))
    refused(lambda: client.get_or_create_user("bob"))


def test_u6_id_of_another_version(client):
    refused(lambda: client.add_user(id=str(uuid1())))
    refused(lambda: client.add_user(id=UUID7))


def test_u7_get_or_create(client):
    name = string_to_uuid(f"zz {uuid4()}")
    made, found = client.get_or_create_user(name), client.get_or_create_user(name)
    assert made.user_id == found.user_id == name
    assert made.fields is None and found.fields["created_at"]
    client.delete_user(name)


def test_u8_delete_twice(client, uid):
    assert client.delete_user(uid) is True
    with pytest.raises(ServerError, match=f"User {uid} not found"):
        client.delete_user(uid)


def test_u9_without_a_request(client):
    name = str(uuid4())
    user = client.get_user(name, no_get=True)
    assert (user.user_id, user.fields) == (name, None)
    with pytest.raises(ServerError):
        client.get_user(name)


def test_u11_after_delete(client, known):
    client.delete_user(known.user_id)
    with pytest.raises(ServerError):
        known.insert(chat())
    with pytest.raises(ServerError):
        known.add_profile("c", "t", "s")
    assert known.flush(sync=True) is True
    assert known.profile() == [] and known.event() == []
    assert sections(known.context()) == (["- "], [])
