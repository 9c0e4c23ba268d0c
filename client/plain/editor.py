"""
The line editor: where plain mode is typed at a terminal.

A prompt at the bottom with editing, history and completion, and above it what is printed. Nothing
is drawn besides: no menu, no colour, nothing that a screen reader would stumble over. What is
printed while somebody types stands above their line and does not tear it.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import attrs
from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.shortcuts import CompleteStyle

from client.plain.client import PlainClient
from client.plain.wrapping import wrapped
from client.terminal.guard import fail

if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer

Take = Callable[[str | None, int | None], None]
"""Takes a line with the question that it was begun for; None for the end of all lines."""

PROMPT = "> "


class _InterruptedError(Exception):
    """Ctrl-C was pressed."""


class _Words(Completer):
    """The words that a line can go on with, as prompt_toolkit wants them."""

    def __init__(self, complete: Callable[[str], tuple[int, tuple[str, ...]]]) -> None:
        self._complete = complete

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield them."""
        del complete_event
        length, words = self._complete(document.text_before_cursor)
        for word in words:
            yield Completion(word, start_position=-length)


@attrs.define(eq=False)
class LineEditor:
    """A terminal with a line to type in at its bottom."""

    input: Input | None = None
    """None for the terminal."""
    output: Output | None = None
    """None for the terminal."""
    _session: "PromptSession[str]" = attrs.field(init=False)
    _face: PlainClient | None = attrs.field(default=None, init=False)
    """Who listens."""
    _held: list[str] = attrs.field(factory=list, init=False)
    """What is to be printed."""
    _begun: int | None = attrs.field(default=None, init=False)
    _printing: "set[asyncio.Task[None]]" = attrs.field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        """Put the prompt together."""
        output = self.output or create_output()
        # Nobody asks the terminal where its cursor is: the reply would take a slow line long.
        if hasattr(output, "enable_cpr"):
            output.enable_cpr = False
        self._session = PromptSession(
            PROMPT,
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            reserve_space_for_menu=0,
            color_depth=ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            enable_suspend=True,
            interrupt_exception=_InterruptedError,
            input=self.input,
            output=output,
        )
        self._session.default_buffer.on_text_changed += self._note

    def _note(self, buffer: "Buffer") -> None:
        """Remember which question a line is begun for."""
        if not buffer.text:
            self._begun = None
        elif self._begun is None and self._face is not None:
            self._begun = self._face.question_id

    # Printing

    def emit(self, line: str) -> None:
        """Print a line that is safe to print, above the one that is typed; soon, in order."""
        self._held.append(line)
        if len(self._held) == 1:
            task = asyncio.get_running_loop().create_task(self._print())
            self._printing.add(task)
            task.add_done_callback(self._printed)

    def _printed(self, task: "asyncio.Task[None]") -> None:
        """Let no fault of printing pass unnoticed."""
        self._printing.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            fail(error)

    async def _print(self) -> None:
        """Print all that waits, in one go, however much came at once."""
        if self._session.app.is_running:
            with set_app(self._session.app):
                await run_in_terminal(self.flush)
        else:
            self.flush()

    def flush(self) -> None:
        """Print all that waits, now; only where nobody is typing."""
        lines, self._held = self._held, []
        output = self._session.output
        columns = output.get_size().columns
        parts = (part for line in lines for part in wrapped(line, columns))
        output.write("".join(f"{line}\r\n" for line in parts))
        output.flush()

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self._session.output.bell()
        self._session.output.flush()

    # Typing

    async def listen(self, face: PlainClient, take: Take, done: "asyncio.Future[int]") -> bool:
        """
        Hand over every line that is typed until `done`.

        Args:
            face: whose question it is, and whose words lines are completed with.
            take: what takes the lines.
            done: whether the player has left.

        Returns:
            Whether it ended with Ctrl-C.
        """
        self._face = face
        self._session.completer = _Words(face.complete)
        done.add_done_callback(lambda _: self._leave())
        while not done.done():
            self.flush()
            self._begun = None
            try:
                typed = await self._session.prompt_async(
                    handle_sigint=False, set_exception_handler=False
                )
            except _InterruptedError:
                return True
            except EOFError:
                take(None, None)
                await asyncio.wait([done])
                break
            if not done.done():
                self._hand_over(typed, take)
        self.flush()
        return False

    def _hand_over(self, typed: str, take: Take) -> None:
        """Pass a line on; of several that were pasted at once, each."""
        first, *others = typed.split("\n")
        take(first, self._begun)
        for line in others:
            take(line, None)

    def _leave(self) -> None:
        """End the prompt that is open, if one is."""
        if self._session.app.is_running and not self._session.app.is_done:
            self._session.app.exit(result="")
