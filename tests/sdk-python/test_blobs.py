"""Cases B: inserting, reading and deleting blobs, and when an insert sets off processing."""

from uuid import UUID, uuid4

import pytest
from memobase import ChatBlob
from memobase.core.blob import BlobType, CodeBlob, DocBlob, ImageBlob, SummaryBlob, TranscriptBlob
from memobase.error import ServerError

from conftest import chat, slots

# Each "word " is one token of the counting vocabulary.
WORD = "word "


def test_b1_chat(user):
    message = {"role": "user", "content": "hi & + # é 😀", "alias": "Al", "created_at": "y1"}
    blob = user.insert(ChatBlob(messages=[message]))
    assert UUID(blob)
    found = user.get(blob)
    assert [m.model_dump() for m in found.messages] == [message]
    assert found.created_at.tzinfo is not None


def test_b2_doc(user):
    found = user.get(user.insert(DocBlob(content="d", fields={"k": 1})))
    assert isinstance(found, DocBlob) and (found.content, found.fields) == ("d", {"k": 1})


def test_b3_summary(user):
    found = user.get(user.insert(SummaryBlob(summary="s")))
    assert isinstance(found, SummaryBlob) and found.summary == "s"


@pytest.mark.parametrize(
    "blob",
    [
        CodeBlob(content="x = 1", language="python"),
        ImageBlob(url="http://example.org/a.png"),
        TranscriptBlob(transcripts=[{"content": "hello", "start_timestamp_in_seconds": 0.5}]),
    ],
    ids=lambda blob: blob.type.value,
)
def test_b4_other_types(user, http, blob):
    """Either a clear refusal or a blob that is kept; an HTTP error would not be caught here."""
    try:
        kept = user.insert(blob)
    except ServerError as refusal:
        assert blob.type.value in str(refusal).lower()
    else:
        data = http.get(f"/blobs/{user.user_id}/{kept}").json()["data"]
        assert data["blob_type"] == blob.type.value
        # Keys that the server fills in are fine; what was sent must be there.
        sent = blob.get_blob_data()
        assert {key: data["blob_data"].get(key) for key in sent} == sent


def test_b5_pages(user):
    blobs = [user.insert(DocBlob(content=f"d{i}")) for i in range(4)]
    assert user.get_all(BlobType.doc) == blobs
    assert user.get_all(BlobType.doc, page=0, page_size=1) == blobs[:1]
    assert user.get_all(BlobType.doc, page=1, page_size=1) == blobs[1:2]
    assert user.get_all(BlobType.doc, page=1, page_size=3) == blobs[3:]


def test_b6_delete(user):
    blob = user.insert(DocBlob(content="d"))
    assert user.delete(blob) is True
    with pytest.raises(ServerError, match=f"Blob with id {blob} .*not found"):
        user.get(blob)
    assert user.delete(blob) is True


def test_b7_gone_after_flush(known):
    assert known.get_all(BlobType.chat) == []


def test_b8_special_token(user, gus, fake):
    blob = user.insert(chat("hello <|endoftext|> world"))
    assert user.get(blob).messages[0].content == "hello <|endoftext|> world"
    assert user.flush(sync=True) is True
    assert any("hello <|endoftext|> world" in asked for asked in fake.requests())


def test_b8_nul(user):
    """Refused with no trace, or kept without the character."""
    try:
        blob = user.insert(chat("be\0fore"))
    except ServerError:
        assert user.get_all(BlobType.chat) == [] and user.buffer(BlobType.chat) == []
    else:
        assert user.get(blob).messages[0].content == "before"


def test_b9_processed_above_the_threshold(user, gus):
    assert UUID(user.insert(chat(WORD * 600), sync=True)) and user.profile() == []
    assert UUID(user.insert(chat(WORD * 600), sync=True))
    assert set(slots(user.profile())) == {("basic_info", "name", "Gus"), ("interest", "foods", "Chinese food")}
    assert user.buffer(BlobType.chat) == []


def test_b10_not_processed_below_the_threshold(user, gus, fake):
    user.insert(chat(WORD * 600), sync=True)
    assert user.profile() == [] and user.event() == [] and fake.requests() == []
    assert len(user.buffer(BlobType.chat)) == 1


def test_b11_longer_than_a_window(user, gus, fake):
    first, last = f"first-{uuid4()}", f"last-{uuid4()}"
    user.insert(chat(f"{first} {WORD * 17_000} {last}"), sync=True)
    asked = fake.requests()
    assert any(first in request for request in asked) and any(last in request for request in asked)
    assert user.buffer(BlobType.chat) == [] and user.buffer(BlobType.chat, "failed") == []
    assert len(user.profile()) == 2


def test_b12_nothing_is_left_out_of_a_full_window(user, gus, fake):
    small, large = f"small-{uuid4()}", f"large-{uuid4()}"
    user.insert(chat(f"I was here first: {small}."))
    user.insert(chat(f"{large} {WORD * 16_330}"), sync=True)
    asked = fake.requests()
    assert any(small in request for request in asked) and any(large in request for request in asked)
    assert user.buffer(BlobType.chat) == [] and user.buffer(BlobType.chat, "failed") == []
