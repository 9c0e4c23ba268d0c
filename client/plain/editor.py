"""
The line editor of plain mode on a terminal.

The editor has a prompt at the bottom with history and completion. Printed lines scroll above the
prompt and never tear a line that is being typed. There are no menus and no colours, because these
disturb screen readers.
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

LineHandler = Callable[[str | None, int | None], None]
"""Handles a typed line, given the question that was open when the player began the line. A line of
None is the end of the input."""

PROMPT = "> "


class _InterruptedError(Exception):
    pass


class _Words(Completer):
    """The completion candidates, in the form that prompt_toolkit wants."""

    def __init__(self, complete: Callable[[str], tuple[int, tuple[str, ...]]]) -> None:
        self._complete = complete

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        del complete_event
        length, words = self._complete(document.text_before_cursor)
        for word in words:
            yield Completion(word, start_position=-length)


@attrs.define(eq=False)
class LineEditor:
    """A terminal with a prompt at the bottom."""

    input: Input | None = None
    """The input to read; None for the terminal of the process."""
    output: Output | None = None
    """The output to write to; None for the terminal of the process."""
    _session: "PromptSession[str]" = attrs.field(init=False)
    _face: PlainClient | None = attrs.field(default=None, init=False)
    """The client to whose open question typed lines belong, and which completes them."""
    _held: list[str] = attrs.field(factory=list, init=False)
    """Lines that wait to be printed."""
    _begun: int | None = attrs.field(default=None, init=False)
    _printing: "set[asyncio.Task[None]]" = attrs.field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        output = self.output or create_output()
        # Do not ask the terminal for its cursor position: on a slow link the reply takes long.
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
        """Store the question that is open when the player begins a line."""
        # An emptied line is a new one, whatever question it was begun for.
        if not buffer.text:
            self._begun = None
        elif self._begun is None and self._face is not None:
            self._begun = self._face.readable_id

    # Printing

    def emit(self, line: str) -> None:
        """Print a line, already safe for a terminal, above the prompt; lines keep their order."""
        self._held.append(line)
        # One task prints all lines that are emitted until it runs.
        if len(self._held) == 1:
            task = asyncio.get_running_loop().create_task(self._print())
            # Kept: the loop holds tasks weakly.
            self._printing.add(task)

            def printed(task: "asyncio.Task[None]") -> None:
                self._printing.discard(task)
                error = None if task.cancelled() else task.exception()
                if isinstance(error, Exception):
                    fail(error)

            task.add_done_callback(printed)

    async def _print(self) -> None:
        if self._session.app.is_running:
            with set_app(self._session.app):
                await run_in_terminal(self.flush)
        else:
            self.flush()

    def flush(self) -> None:
        """Print all waiting lines now. Must not be called while a prompt is shown."""
        lines, self._held = self._held, []
        output = self._session.output
        columns = output.get_size().columns
        parts = (part for line in lines for part in wrapped(line, columns))
        output.write("".join(f"{line}\r\n" for line in parts))
        output.flush()

    def ring(self) -> None:
        self._session.output.bell()
        self._session.output.flush()

    # Typing

    async def listen(
        self, face: PlainClient, handle: LineHandler, done: "asyncio.Future[int]"
    ) -> bool:
        """
        Pass on every typed line until `done`.

        Args:
            face: the client to whose open question typed lines belong, and which completes them.
            handle: receives the lines.
            done: fires once the player has left.

        Returns:
            Whether Ctrl-C ended the input.
        """
        self._face = face
        self._session.completer = _Words(face.complete)

        def leave(_: "asyncio.Future[int]") -> None:
            # Close the prompt, if it is open.
            if self._session.app.is_running and not self._session.app.is_done:
                self._session.app.exit(result="")

        done.add_done_callback(leave)
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
                handle(None, None)
                # Lines typed before the end are still carried out.
                await asyncio.wait([done])
                break
            if not done.done():
                first, *others = face.split_pasted(typed)
                handle(first, self._begun)
                for line in others:
                    # Pasted lines are a script: they answer whatever is asked by then.
                    handle(line, None)
        self.flush()
        return False
