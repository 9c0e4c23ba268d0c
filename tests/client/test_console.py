"""What commands print outside the full screen: wrapped on a terminal, unwrapped in a pipe."""

import os
import sys
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

import pytest

from client.locale import LANGUAGES, load
from client.terminal.console import columns_of, tell
from client.text.printable import width_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture
def narrow() -> Iterator[tuple[int, TextIO]]:
    """Yield a terminal of 40 columns: a descriptor to read from and a stream to write to."""
    import fcntl  # noqa: PLC0415 (not everywhere)
    import struct  # noqa: PLC0415 (the same)
    import termios  # noqa: PLC0415 (the same)

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        yield ours, terminal
    os.close(ours)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["coach.next", "coach.kept", "cli.came_back"])
def test_closing_words_are_wrapped_to_the_terminal(
    key: str, language: str, narrow: tuple[int, TextIO]
) -> None:
    ours, terminal = narrow
    text = load(language).say(key)

    tell(text, terminal)

    lines = os.read(ours, 10_000).decode().split("\r\n")
    assert max(map(width_of, lines)) <= 40
    assert " ".join(lines).split() == text.split()


def test_in_a_pipe_nothing_is_wrapped() -> None:
    output = StringIO()

    tell("word " * 100 + "end", output)

    assert columns_of(output) is None
    assert output.getvalue() == "word " * 100 + "end\n"


def test_nothing_but_printable_text_is_printed(narrow: tuple[int, TextIO]) -> None:
    """Names of files and servers come from strangers."""
    ours, terminal = narrow

    tell("a\x1b[31mb", terminal)

    assert b"\x1b" not in os.read(ours, 100)
