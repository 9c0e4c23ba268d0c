"""Requests and replies of the admin protocol: each is read back as it was written."""

import pytest

from protocol.errors import ProtocolError
from protocol.frames import LIMIT_AFTER_LOGIN, FrameDecoder
from server.admin.port import read_request
from server.admin.vocabulary import Request, Said, decode, encode, kinds
from tests.admin.samples import SAMPLES

pytestmark = pytest.mark.issue(15)


def payload(one: Said) -> bytes:
    """Return the payload of the frame of a request or reply."""
    [found] = FrameDecoder(LIMIT_AFTER_LOGIN).feed(encode(one))
    return found


def test_there_is_a_sample_of_each() -> None:
    """Nothing else would notice a message without a sample."""
    assert {type(one) for one in SAMPLES} == set(kinds())


@pytest.mark.parametrize("one", SAMPLES, ids=lambda one: str(one.tag))
def test_it_is_read_as_it_was_said(one: Said) -> None:
    assert decode(payload(one)) == one


@pytest.mark.parametrize("one", SAMPLES, ids=lambda one: str(one.tag))
def test_the_server_is_asked_and_told_nothing(one: Said) -> None:
    if isinstance(one, Request):
        assert read_request(payload(one)) == one
    else:
        with pytest.raises(ProtocolError):
            read_request(payload(one))


def test_no_secret_is_told_by_the_log_of_acts() -> None:
    told = [one.told() for one in SAMPLES if isinstance(one, Request) and hasattr(one, "told")]

    assert "correct horse" not in str(told)
