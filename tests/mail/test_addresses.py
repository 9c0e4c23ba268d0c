"""Which strings count as mail addresses."""

import pytest

from server.mail.addresses import canonical, is_address
from tests.kit.hostile import hostile_words

pytestmark = pytest.mark.issue(15)


@pytest.mark.parametrize(
    "text", ["ada@example.org", "a.b+c@mail.example.co.uk", "x_y-z@a-b.example", "1@2.example"]
)
def test_an_address_is_taken(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "ada", "ada@", "@example.org", "ada@example", "a@b@example.org", "a b@example.org"),
        *("ada@example.org\n", "ada@example.org\r\nBcc: eve@example.org", "a,b@example.org"),
        *("<ada@example.org>", '"ada b"@example.org', "ada@[127.0.0.1]", "a..b@example.org"),
        *(".a@example.org", "a@-x.example", "ada@exämple.org", "a@example.org, b@example.org"),
        *("x" * 65 + "@example.org", "a@" + "x" * 64 + ".org", "a@" + "b." * 127 + "org"),
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_address(text)


def test_no_hostile_string_is_an_address() -> None:
    for text in hostile_words(2000):
        assert not is_address(text)
        if is_address(f"{text}@example.org"):
            assert text.isascii()
            assert not set(text) & set(' <>"@,;:\\()[]\r\n')


def test_two_spellings_are_one_address() -> None:
    """If they counted as two, capitals would be a way around the limits per address."""
    assert canonical("Ada@Example.ORG") == canonical("ada@example.org")


@pytest.mark.issue(36)
def test_a_sub_address_is_of_the_same_inbox() -> None:
    assert canonical("ada+x@example.org") == canonical("ada+y+z@example.org") == "ada@example.org"
    assert canonical("+x@example.org") != canonical("+y@example.org")
