"""How far a page is that takes its time, said to whoever waits for it at a terminal."""

from collections.abc import Callable
from typing import Final, TextIO

from client.locale import Locale

_DONE: Final = 100


def page_progress(locale: Locale, output: TextIO) -> Callable[[int], None]:
    """
    Return what is told how many hundredths of a page are done.

    It says so on one line of a terminal and takes the line away at the end. A file or a pipe is
    told nothing: no program reads it, and the words of an error come there.
    """

    def show(hundredths: int) -> None:
        if not output.isatty():
            return
        text = locale.say("cli.drawing", hundredths)
        output.write(f"\r{' ' * len(text)}\r" if hundredths >= _DONE else f"\r{text}")
        output.flush()

    return show
