"""The numbers in docs/security.md and docs/fair-play.md are those of the program."""

from pathlib import Path
from typing import Final

import pytest

from client.cache import table_cache
from client.net.ceremony import MOST_UNASKED
from protocol.common.table import MAX_WITHHELD
from protocol.common.text import MAX_RENDERED
from protocol.invitation import CODE_BYTES
from protocol.messages import MAX_LOST_SEATS
from server.lobby.rooms.room_clock import START_SECONDS
from server.lobby.tables.lost_seats import KEPT_DAYS
from server.net.limits import PlaceLimits
from server.process import pages
from server.process.rough import STEP_BYTES

ROOT: Final = Path(__file__).parents[2]
SECURITY, FAIR_PLAY = (
    " ".join((ROOT / "docs" / name).read_text("utf-8").split())
    for name in ("security.md", "fair-play.md")
)
MIB: Final = 1 << 20
WORDS: Final = {2: "two", 3: "third", 5: "five", 10: "ten"}

SAID: Final = (
    (SECURITY, f"A code has {CODE_BYTES * 8} random bits"),
    (SECURITY, f"the last {MAX_LOST_SEATS} losses of a key for at most a year"),
    (SECURITY, f"reads at most {pages.MAX_HEAD // 1024} KiB of a request and no body"),
    (
        SECURITY,
        f"at most {pages.MAX_CONNECTIONS} connections of {WORDS[int(pages.SECONDS)]} seconds each",
    ),
    (SECURITY, f"a rendered text has at most {MAX_RENDERED:,} characters"),
    (SECURITY, f"A start waits {START_SECONDS} seconds for a share"),
    (SECURITY, f"once {WORDS[MAX_WITHHELD]} starts have failed because of its share"),
    (
        SECURITY,
        f"for at most {table_cache.MOST_DAYS} days and {table_cache.MOST_BYTES // MIB} MiB",
    ),
    (SECURITY, f"random steps of {STEP_BYTES // MIB} MiB on average"),
    (
        SECURITY,
        f"each connection has {WORDS[int(PlaceLimits().crowded_seconds)]} seconds",
    ),
    (FAIR_PLAY, f"If a share is missing after {START_SECONDS} seconds"),
    (FAIR_PLAY, f"If {WORDS[MAX_WITHHELD]} starts have failed because of the same missing share"),
)


@pytest.mark.parametrize(("page", "words"), SAID, ids=[words for _, words in SAID])
def test_a_number_of_the_pages_is_that_of_the_program(page: str, words: str) -> None:
    """Each number is in its sentence, so that both change together."""
    assert words in page


def test_what_is_counted_in_words_is_counted_so() -> None:
    assert KEPT_DAYS == 365
    assert MOST_UNASKED == 3
    assert "gives a fourth only if you say again that you are ready" in SECURITY
    assert "gives no fourth before you have said once more that you are ready" in FAIR_PLAY
