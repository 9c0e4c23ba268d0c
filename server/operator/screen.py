"""Shows the overview of `manse admin` on a terminal and polls the server once a second."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from commands.speaking import CommandWords
from server.admin.line import Line, NoServer, Refused
from server.admin.vocabulary import Act, AskState, Done, State
from server.operator.overview import Overview, Reports

T = TypeVar("T")

LOOK_SECONDS: Final = 1.0
"""Seconds between two polls."""
MAX_SHOWN: Final = 200
"""Maximum number of tables, and of people, per poll; `manse admin tables` lists all."""

_NAMES: Final = {
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Tab: "tab",
    Keys.Enter: "enter",
    Keys.Escape: "escape",
    Keys.Backspace: "backspace",
}


class AdminScreen:
    """Application of prompt_toolkit that shows the overview."""

    def __init__(
        self,
        line: Line,
        words: CommandWords,
        in_words: Callable[[Refused | NoServer], str],
        **terminal: Any,
    ) -> None:
        """
        Create the application without showing it.

        Args:
            line: connection to the server.
            words: words of the command, in the operator's language.
            in_words: returns a sentence that explains a refusal or a lost server.
            terminal: `input` and `output` of prompt_toolkit; by default those of the process.
        """
        self.overview = Overview(words)
        self._line, self._words, self._in_words = line, words, in_words
        # One thread: requests on the line must not interleave, and keys never wait for the server.
        self._asking = ThreadPoolExecutor(max_workers=1)
        self._looked_at = time.monotonic()
        bindings = KeyBindings()
        for key, name in _NAMES.items():
            # Eager: Escape must not wait for the rest of a key sequence.
            bindings.add(key, eager=True)(partial(self._press, name=name))
        bindings.add(Keys.Any)(lambda event: self._press(event, event.data))
        bindings.add(Keys.ControlC)(lambda event: event.app.exit())
        self.application: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._drawn), wrap_lines=False)),
            key_bindings=bindings,
            full_screen=True,
            **terminal,
        )

    def run(self) -> None:
        """Run until the operator leaves."""
        try:
            self.application.run(pre_run=self._begin)
        finally:
            # A server that hangs must not keep the terminal.
            self._asking.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        _ = self.application.create_background_task(self._keep_polling())

    async def _keep_polling(self) -> None:
        while True:
            await self._poll()
            await asyncio.sleep(LOOK_SECONDS)

    async def _poll(self) -> None:
        reports = await self._in_turn(self._fetch)
        if reports is not None:
            now = time.monotonic()
            self.overview.show(reports, now - self._looked_at)
            self._looked_at = now
        self.application.invalidate()

    def _fetch(self) -> Reports:
        state = self._line.ask(AskState(), State)
        tables = tuple(islice(self._line.tables(), MAX_SHOWN))
        return Reports(state, tables, tuple(islice(self._line.people(), MAX_SHOWN)))

    async def _in_turn(self, work: Callable[[], T]) -> T | None:
        """
        Run `work` in the thread of the connection, and return its result.

        A fault becomes the message of the overview, and the result is None.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._asking, work)
        except (Refused, NoServer) as fault:
            self.overview.message = self._in_words(fault)
            return None

    async def _do(self, act: Act) -> None:
        done = await self._in_turn(lambda: self._line.ask(act, Done))
        if done is not None:
            self.overview.message = self._words.say("admin.screen.done", done.count)
        await self._poll()

    def _press(self, event: KeyPressEvent, name: str) -> None:
        if name == "q" and self.overview.prompt is None:
            event.app.exit()
            return
        act = self.overview.press(name)
        if act is not None:
            _ = self.application.create_background_task(self._do(act))
        self.application.invalidate()

    def _drawn(self) -> StyleAndTextTuples:
        size: Size = self.application.output.get_size()
        drawn: StyleAndTextTuples = []
        for style, text in self.overview.draw(size.rows):
            drawn += [(style, text), ("", "\n")]
        return drawn[:-1]
