"""What command and server say to each other: each is read back as it was said."""

import pytest

from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder
from server.admin.port import read_request
from server.admin.vocabulary import Request, Said, decode, encode, kinds
from tests.admin.samples import SAMPLES

pytestmark = pytest.mark.issue(15)


def payload(one: Said) -> bytes:
    """Return what stands in the frame of something said."""
    [found] = FrameDecoder(LIMIT_AFTER_LOGIN).feed(encode(one))
    return found


def test_there_is_a_sample_of_each() -> None:
    """So that none is forgotten below, and by the fuzzer."""
    assert {type(one) for one in SAMPLES} == set(kinds())


@pytest.mark.parametrize("one", SAMPLES, ids=lambda one: str(one.tag))
def test_it_is_read_as_it_was_said(one: Said) -> None:
    """By its tag and its fields."""
    assert decode(payload(one)) == one


@pytest.mark.parametrize("one", SAMPLES, ids=lambda one: str(one.tag))
def test_the_server_is_asked_and_told_nothing(one: Said) -> None:
    """What only the server says is no request."""
    if isinstance(one, Request):
        assert read_request(payload(one)) == one
    else:
        with pytest.raises(ProtocolError):
            read_request(payload(one))


def test_no_secret_is_told_by_the_log_of_acts() -> None:
    """The password of an opening is no part of what it tells."""
    told = [one.told() for one in SAMPLES if isinstance(one, Request) and hasattr(one, "told")]

    assert "correct horse" not in str(told)
