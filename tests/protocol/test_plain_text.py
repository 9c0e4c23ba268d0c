"""Plain text: what people type cannot harm other people's terminals."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.plain_text import clean, is_plain


@given(st.text(max_size=100))
def test_cleaned_text_is_plain(text: str) -> None:
    assert is_plain(clean(text))


@pytest.mark.parametrize("text", ["Hello, world!", "naïve", "日本", "👩\u200d🚀", "हिन्दी", ""])
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert is_plain(text)
    assert clean(text) == text


@pytest.mark.parametrize(
    "text", ["\x1b[2J", "a\tb", "a\r", "\x9b31m", "\u2028", "\u202e", "\ufeff", "e\u0301", "\ud800"]
)
def test_what_moves_or_hides_is_not_plain(text: str) -> None:
    assert not is_plain(text)


@given(st.text(alphabet="a0 \r\x1b\x85\u0308\u200d\u2000é", max_size=12))
@example("0\r\x1b\x850")
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    """Stored text was cleaned, and is read again by the same rule."""
    assert clean(clean(text)) == clean(text)
