"""Progress of writing an HTML page, shown to a person who waits at a terminal."""

from collections.abc import Callable
from typing import Final, TextIO

from client.locale import Locale

_DONE: Final = 100


def page_progress(locale: Locale, output: TextIO) -> Callable[[int], None]:
    """
    Return a function that shows the progress of a page, given in percent.

    The function rewrites one line of the terminal, and clears this line at the end. If the output
    is a file or a pipe, the function writes nothing: a program may read the errors that go to the
    same output.
    """

    def show(hundredths: int) -> None:
        if not output.isatty():
            return
        text = locale.say("cli.drawing", hundredths)
        output.write(f"\r{' ' * len(text)}\r" if hundredths >= _DONE else f"\r{text}")
        output.flush()

    return show
