"""
The user interface on a real terminal, in the running asyncio loop.

`run_app` plays, `run_replay` replays a finished game. Neither reads a file, opens a connection or
uses a reactor: the caller provides model and port. Both return once the player leaves, and always
restore the terminal.
"""

import asyncio
import functools
import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime

import attrs
from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel
from client.keymap.keys import Action, Context
from client.locale import Locale, load
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.net.client_port import ClientPort
from client.net.port import ServerPort
from client.notes.note_book import Books
from client.screens.base.screen import Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Typed, Ui
from client.settings.appearance import NO_WISHES, Wishes
from client.teaching.coach import Coach
from client.terminal import clipboard
from client.terminal.mouse_codes import bind_mouse
from client.terminal.notifier import Notifier
from client.terminal.renderer import CanvasRenderer
from client.text.printable import printable
from client.widgets.canvas import Canvas
from client.widgets.style import style_sheet
from protocol import messages
from protocol.common.events import MAX_CHAT
from protocol.plain_text import clean

_ESCAPE_SECONDS = 0.05
"""The time to wait after Esc for the rest of a key code."""
_REDRAW_SECONDS = 0.02
"""The minimum time between two frames, so that a burst of records is drawn once."""
_MOST_PASTED = 8 * MAX_CHAT
"""The maximum length of pasted text that is read; useful text is shorter."""
_POLL_SECONDS = 0.5
"""The interval between two queries of the terminal's size, if no signal reports changes."""
_WHEEL = {MouseEventType.SCROLL_UP: -1, MouseEventType.SCROLL_DOWN: 1}


class _Application(Application[None]):
    """An Application whose frames do not depend on the wall clock, unlike prompt_toolkit's."""

    def invalidate(self) -> None:
        """Request a frame, even if the wall clock was set back since the last frame."""
        self._last_redraw_time = min(self._last_redraw_time, time.time())
        super().invalidate()


@attrs.define(eq=False)
class Terminal:
    """A user interface with the prompt_toolkit application that shows it."""

    ui: Ui
    input: Input | None = None
    output: Output | None = None
    application: "Application[None]" = attrs.field(init=False)
    _buffer: Buffer = attrs.field(init=False)
    _frame: Window = attrs.field(init=False)
    _outside: "asyncio.Task[None] | None" = attrs.field(default=None, init=False)
    _stopping: "asyncio.Task[None] | None" = attrs.field(default=None, init=False)
    _notifier: Notifier = attrs.field(init=False)
    _alarm: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    """The timer of the next frame that becomes necessary by time alone."""

    def __attrs_post_init__(self) -> None:
        self.ui.desk.quit = self.quit
        self.ui.desk.now = time.monotonic
        self.ui.desk.wall = lambda: datetime.now(tz=UTC).astimezone()
        self.ui.desk.show_outside = self._show_outside
        self.ui.desk.copy_outside = self._copy
        self.ui.desk.suspend = (
            (lambda: self._suspend(self._stop_group)) if self._can_stop() else None
        )
        self._buffer = Buffer(multiline=False, accept_handler=self._accepted)
        self._buffer.on_text_changed += self._shorten
        self._frame = Window(FormattedTextControl(focusable=True))
        # The windows only route keys; the renderer draws everything.
        layout = Layout(HSplit([self._frame, Window(BufferControl(self._buffer))]), self._frame)
        self.application = _Application(
            layout=layout,
            key_bindings=self._bindings(),
            style=DynamicStyle(
                lambda: style_sheet(self.ui.desk.theme, self.ui.desk.model.spoken.game)
            ),
            include_default_pygments_style=False,
            full_screen=True,
            input=self.input,
            output=self.output,
            min_redraw_interval=_REDRAW_SECONDS,
            # Poll the size only where no signal reports changes.
            terminal_size_polling_interval=None if hasattr(signal, "SIGWINCH") else _POLL_SECONDS,
        )
        self.application.ttimeoutlen = _ESCAPE_SECONDS
        self.application.timeoutlen = _ESCAPE_SECONDS
        self._notifier = Notifier(self.ui.desk, self.application.output)
        self.application.renderer = CanvasRenderer(
            self.application.renderer.style,
            self.application.output,
            self._draw,
            self._moused,
            Condition(lambda: self.ui.desk.prefs.mouse),
        )

    def _draw(self, rows: int, columns: int) -> Canvas:
        """Draw a frame, and schedule the next frame if time alone will change the screen."""
        typed = Typed(self._buffer.text, self._buffer.cursor_position)
        canvas = self.ui.draw(rows, columns, typed)
        # Each frame sets its own timer, so that of the last frame must not remain.
        if self._alarm is not None:
            self._alarm.cancel()
        due = self.ui.desk.due
        loop = asyncio.get_running_loop()
        self._alarm = None if due is None else loop.call_later(due, self.application.invalidate)
        return canvas

    def _moused(self, event: MouseEvent) -> object:
        row, column = event.position.y, event.position.x
        # A click counts on release, at the place where the pointer is then.
        if event.event_type is MouseEventType.MOUSE_UP:
            self.ui.click(row, column)
        elif event.event_type in _WHEEL:
            self.ui.wheel(row, column, _WHEEL[event.event_type])
        else:
            return NotImplemented
        self.redraw()
        return None

    def _is_typing(self) -> bool:
        return self.ui.desk.entry is not None

    # Keys

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        is_typing = Condition(self._is_typing)
        for key in self.ui.desk.keys.keys:
            # A text entry has its own keys, with few exceptions.
            is_ours = self._meant(key) in {Action.BACK, Action.QUIT, Action.SUSPEND}
            where = Condition(lambda: True) if is_ours else ~is_typing
            bindings.add(key, filter=where, eager=is_ours)(self._pressed(key))
        # Some terminals, and some people's fingers, send a line feed for Enter.
        bindings.add(Keys.ControlJ, filter=~is_typing)(self._pressed("enter"))
        bindings.add(Keys.Any, filter=~is_typing)(self._pressed_any)
        bindings.add(Keys.BracketedPaste)(self._pasted)
        bindings.add(Keys.SIGINT)(self._pressed("c-c"))
        bind_mouse(bindings)
        return bindings

    def _meant(self, key: str) -> Action | None:
        """Return the action of a key while a line is typed; None for an ordinary character."""
        return self.ui.desk.keys.action_for(Context.ENTRY, key)

    def _pressed(self, key: str) -> Callable[[KeyPressEvent], None]:
        def press(_: KeyPressEvent) -> None:
            if self._is_typing() and self._meant(key) is Action.BACK:
                self.ui.cancel()
            else:
                self.ui.press(key)
            self.redraw()

        return press

    def _pressed_any(self, event: KeyPressEvent) -> None:
        pressed = event.key_sequence[0]
        name = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
        # The code of an unknown key may be long, and may have controls.
        self.ui.press(printable(name)[:12])
        self.redraw()

    def _pasted(self, event: KeyPressEvent) -> None:
        if self._is_typing():
            # Only as much as fits, and only printable characters.
            self._buffer.insert_text(clean(event.data[:_MOST_PASTED])[:MAX_CHAT])
        else:
            self.ui.paste(event.data[:_MOST_PASTED])
        self.redraw()

    def _accepted(self, buffer: Buffer) -> bool:
        is_kept = self.ui.enter(buffer.text)
        self.redraw()
        return is_kept

    def _shorten(self, buffer: Buffer) -> None:
        if len(buffer.text) > MAX_CHAT:
            buffer.text = buffer.text[:MAX_CHAT]

    def redraw(self) -> None:
        """Draw soon, and move the focus to the part that now receives keys."""
        layout = self.application.layout
        # The screen may have opened a text entry.
        self.ui.base()
        if self._is_typing() != layout.has_focus(self._buffer):
            self._buffer.reset()
            layout.focus(self._buffer if self._is_typing() else self._frame)
        self.application.invalidate()

    def _show_outside(self, text: str) -> None:
        lines = [
            printable(line) for line in (*text.split("\n"), "", self.ui.desk.say("outside.back"))
        ]
        terminal, pressed = self.application.input, asyncio.Event()

        def check_keys() -> None:
            # Any key returns; none of them may act on the screen behind.
            if terminal.read_keys():
                pressed.set()
            else:
                # Esc alone looks like the beginning of a sequence until some time has passed.
                asyncio.get_running_loop().call_later(_ESCAPE_SECONDS, look_for_escape)

        def look_for_escape() -> None:
            if not pressed.is_set() and terminal.flush_keys():
                pressed.set()

        async def wait_outside() -> None:
            # Leave the full screen, print, and return at the next key.
            async with in_terminal():
                output = self.application.output
                # Or an earlier text would still stand above this one.
                output.erase_screen()
                output.cursor_goto(0, 0)
                output.write_raw("".join(f"{line}\r\n" for line in lines))
                output.flush()
                with terminal.raw_mode(), terminal.attach(check_keys):
                    await pressed.wait()

        # As a task of the application, it is cancelled when the application ends.
        self._outside = self.application.create_background_task(wait_outside())

    def _copy(self, text: str) -> None:
        """Write the sequence that copies a text. It changes nothing on the screen."""
        output = self.application.output
        output.write_raw(clipboard.sequence(printable(text), os.environ))
        output.flush()

    async def run(self) -> None:
        """Run until the person leaves."""
        model = self.ui.desk.model
        listeners = (self.redraw, self._notifier.update)
        model.on_change += listeners
        self._notifier.update()
        self._watch_for_suspension()
        try:
            # The process's owner handles signals and exceptions; Ctrl-C arrives as a key.
            await self.application.run_async(handle_sigint=False, set_exception_handler=False)
        except EOFError:
            # No key can arrive any more, so this counts as leaving.
            return
        finally:
            for listener in listeners:
                model.on_change.remove(listener)
            if self._alarm is not None:
                self._alarm.cancel()
            self._forget_suspension()
            self._notifier.end()
            # An exception in the first frame leaves prompt_toolkit without a restored screen.
            self.application.renderer.reset()

    def _can_stop(self) -> bool:
        """Return whether job control can suspend the client, which needs a real terminal."""
        return hasattr(signal, "SIGTSTP") and self.input is None

    def _watch_for_suspension(self) -> None:
        """Restore the terminal whenever a signal suspends the process."""
        if self._can_stop():
            loop = asyncio.get_running_loop()
            # This process alone, as the signal says. SIGTSTP would only call the handler again.
            stop_alone = functools.partial(os.kill, os.getpid(), signal.SIGSTOP)
            loop.add_signal_handler(signal.SIGTSTP, self._suspend, stop_alone)

    def _forget_suspension(self) -> None:
        if self._can_stop():
            asyncio.get_running_loop().remove_signal_handler(signal.SIGTSTP)

    def _suspend(self, stop: Callable[[], None]) -> None:
        if self._stopping is None or self._stopping.done():

            async def stop_outside() -> None:
                # Leave the full screen, stop, and return when the process continues.
                async with in_terminal():
                    # The shell must not keep the title of a suspended client.
                    self._notifier.end()
                    stop()
                self._notifier.update()

            self._stopping = self.application.create_background_task(stop_outside())

    def _stop_group(self) -> None:
        """
        Stop the whole process group, as the terminal's own key would.

        Without a shell that could continue the process, the system ignores this signal.
        """
        # Or our own handler would catch the signal that is to stop us.
        self._forget_suspension()
        os.kill(0, signal.SIGTSTP)
        self._watch_for_suspension()

    def quit(self) -> None:
        """End the application, if it runs."""
        if self.application.is_running and not self.application.is_done:
            self.application.exit()


def make_terminal(
    model: ClientModel,
    port: ClientPort,
    wishes: Wishes = NO_WISHES,
    *,
    coach: Coach | None = None,
    input: Input | None = None,  # noqa: A002 (prompt_toolkit's own name)
    output: Output | None = None,
) -> Terminal:
    journal = Journal(lambda: model.speaker)
    # The client may follow a table already.
    journal.begin(model.view)
    model.followers.append(journal)
    desk = Desk(model, port, journal, wishes.appearance, wishes.prefs, wishes.keep, coach=coach)
    model.followers.append(desk.watch)
    terminal = Terminal(Ui(desk), input, output)
    desk.watch.begin(model.view)
    if coach is not None:
        coach.begin(model.view, Context.ROOM)
    return terminal


async def run_app(
    model: ClientModel,
    port: ClientPort,
    wishes: Wishes = NO_WISHES,
    *,
    coach: Coach | None = None,
    input: Input | None = None,  # noqa: A002 (prompt_toolkit's own name)
    output: Output | None = None,
) -> None:
    """
    Play until the person leaves.

    Args:
        model: the model of a client whose connection may run already.
        port: the port of the same client.
        wishes: appearance for this player on this terminal.
        coach: teaches a new player; None if there is no coach.
        input: source of keys; None for the terminal.
        output: target of the screens; None for the terminal.
    """
    await make_terminal(model, port, wishes, coach=coach, input=input, output=output).run()


class _NoLineError(Exception):
    """The error of sending in a replay, which has no server."""


class _NoLine:
    """The connection of a replay, which cannot send."""

    def next_serial(self) -> int:
        return 0

    def send(self, _message: messages.ClientMessage) -> None:
        """Raise an error, because there is no server."""
        raise _NoLineError

    def set_language(self, _language: str) -> None:
        """Do nothing, because there is no login."""

    def try_again(self) -> None:
        """Do nothing, because there is no server."""


def make_replay(
    replay: ReplayModel,
    words: WordStore,
    wishes: Wishes = NO_WISHES,
    *,
    locale: Locale | None = None,
    words_in: Callable[[str], WordStore] | None = None,
    notes: Books | None = None,
    input: Input | None = None,  # noqa: A002 (prompt_toolkit's own name)
    output: Output | None = None,
) -> Terminal:
    model = ClientModel(
        "", b"", locale or load("en"), words=words, words_in=words_in, note_books=notes
    )
    port = ServerPort(model, _NoLine(), bytes, (_NoLineError,))
    journal = Journal(lambda: model.speaker)
    desk = Desk(model, port, journal, wishes.appearance, wishes.prefs, wishes.keep)
    screen = ReplayScreen(desk, replay)
    return Terminal(Ui(desk, screen), input, output)


async def run_replay(
    replay: ReplayModel,
    words: WordStore,
    wishes: Wishes = NO_WISHES,
    *,
    locale: Locale | None = None,
    words_in: Callable[[str], WordStore] | None = None,
    notes: Books | None = None,
    input: Input | None = None,  # noqa: A002 (prompt_toolkit's own name)
    output: Output | None = None,
) -> None:
    """
    Replay a finished game until the person leaves.

    Args:
        replay: the verified game.
        words: words of everything that the game names.
        wishes: appearance for this player on this terminal.
        locale: the client's own words.
        words_in: loads the words of another language.
        notes: opens the player's notes; None if notes are not stored.
        input: source of keys; None for the terminal.
        output: target of the screens; None for the terminal.
    """
    terminal = make_replay(
        replay,
        words,
        wishes,
        locale=locale,
        words_in=words_in,
        notes=notes,
        input=input,
        output=output,
    )
    await terminal.run()
