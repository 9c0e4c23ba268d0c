"""
Plain mode's state: model, port and output, and functions that all commands need.

A command is a function of the `Talk` and its argument, the text after the command's word. The
function prints, or acts through the port; the effect is printed as news when it arrives.
"""

import enum
import math
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

import attrs

from client.journal.fetched import read_fetched
from client.journal.journal import Journal
from client.journal.lost import local_now
from client.keyring.private_files import write_new
from client.locale.speaker import Speaker
from client.model.asked_again import is_asked_again
from client.model.found_games import FoundGames
from client.model.model import ClientModel
from client.model.tables import TableView
from client.model.waiting import Watch, done_line, interrupted_line
from client.net.client_port import ClientPort
from client.net.fetching import FetchedGame
from client.plain import words
from client.plain.choice import ListedChoices, UnreadableCommand, find, list_choices
from client.plain.game import plain_at
from client.plain.naming import little_words
from client.plain.replay import PlainReplay
from client.plugs.face import face_of
from client.teaching.coach import Coach
from client.text.ascii_fold import folded_words
from client.text.printable import printable
from protocol.common.asks import Question, Settle
from protocol.common.hosts import steward
from protocol.common.patience import least_seconds
from protocol.common.table import GameTable, Stage
from protocol.messages import ScenarioLine, SetupResults


class PlayerPlace(enum.Enum):
    """The place of a player, which decides which commands are valid."""

    LOBBY = "lobby"
    WAITING = "waiting"
    """At a table before its game."""
    GAME = "game"
    """At a table whose game is running or over."""


@attrs.frozen
class Environment:
    """The clocks, files and bell of a session in plain mode; tests replace them."""

    write: Callable[[str, str], None] = write_new
    """Writes a new private file, given name and text. May raise OSError."""
    now: Callable[[], float] = time.monotonic
    """Monotonic clock, in seconds."""
    ring: Callable[[], None] = lambda: None
    """Alerts a player who is asked after a wait."""
    wall: Callable[[], datetime] = local_now


@attrs.define(eq=False)
class Talk:
    """State of one session in plain mode, which prints lines instead of drawing screens."""

    model: ClientModel
    port: ClientPort
    emit: Callable[[str], None]
    """Prints one line that is safe for a terminal."""
    journal_lines: Journal
    watch: Watch
    """Estimates the server's clock."""
    coach: Coach | None = None
    """Teaches a new player what to type; None if there is no coach."""
    environment: Environment = attrs.field(factory=Environment)
    shown: ListedChoices | None = None
    asked_at: float = -math.inf
    """The time when the open question took the place of another."""
    asked_since: int = -1
    """The id of the first question in a row of questions that say the same, up to the open one."""
    later: list[Callable[[], None]] = attrs.field(factory=list)
    """Work to do once every request has its reply."""
    replay: PlainReplay | None = None
    """The open replay, which receives all typed lines."""
    found: FoundGames | None = None
    """The last printed list of finished games."""
    results: SetupResults | None = None
    """The last printed list of results."""
    is_over: bool = False
    """Whether the player has left."""
    numbered: str = ""
    """The command that a bare number means, by the last printed list; empty if there is none."""
    _asked_id: int | None = attrs.field(default=None, init=False)
    """The id of the last printed question."""
    _is_used_to: set[str] = attrs.field(factory=set, init=False)
    """Explanations of how votes are settled that were printed already."""
    _sure_of: tuple[str, ...] = attrs.field(default=(), init=False)
    """The risky picks of which the player was warned."""
    _given: tuple[int, tuple[tuple[str, ...], ...]] = attrs.field(default=(-1, ()), init=False)
    """For a row of questions, the id of the row, and the picks of the questions answered so far."""

    # Printing

    @property
    def speaker(self) -> Speaker:
        return self.model.speaker

    def word(self, command: str) -> str:
        """Return the word of a command in the player's language."""
        return self.speaker.say(f"plain.word.{command}")

    def print(self, lines: Iterable[str]) -> None:
        """Print lines, made safe for any terminal."""
        for line in lines:
            for paragraph in line.split("\n"):
                self.emit(printable(paragraph).rstrip())

    def tell(self, key: str, *params: str | int) -> None:
        self.print([self.speaker.say(key, *params)])

    def tell_list(self, names: Iterable[str], hint: str, command: str = "") -> None:
        """Print numbered names and a hint. Then a bare number is an argument of `command`."""
        numbered = [f"{at}. {name}" for at, name in enumerate(names, 1)]
        self.print_for(command, numbered)
        self.tell(hint if numbered else "box.nothing")

    def print_for(self, command: str, lines: Iterable[str]) -> None:
        """Print a numbered list. Afterwards, a bare number is an argument of `command`."""
        self.print(lines)
        self.numbered = command

    def ask(self, view: TableView, question: Question) -> None:
        """Print a question, or the next question of a row; the next typed line answers it."""
        assert view.ask is not None
        row, at = question.row, len(self._given_to(view.ask.ask_id))
        question = row[at]
        if len(row) > 1:
            self.tell("plain.part", at + 1, len(row))
            if at:
                self.tell("plain.part_back", self.word("previous"))
        if self._asked_id != view.ask.ask_id:
            shown = self.shown
            if shown is None or not is_asked_again(view, shown.ask_id, shown.question):
                self.asked_since = view.ask.ask_id
                if self._asked_id is not None:
                    self.asked_at = self.environment.now()
            held = self.model.off_log.held
            if self._asked_id is not None and (lost := interrupted_line(self.speaker, view, held)):
                self.print([lost])
        self._asked_id = view.ask.ask_id
        # With the previous list, so that repeated choices keep their numbers.
        self.shown = list_choices(self.speaker, view, question, self.shown)
        lines = words.question_lines(self.speaker, view, question, self.shown)
        game = plain_at(view)
        # Questions with one subject in a row print its cards once.
        is_new = self.shown.told != view.ask.about
        about = game.about_question(self.speaker, view) if is_new else ()
        self.print(["", *about, *game.before_question(self.speaker, view), *lines])
        settle = view.ask.settle.value
        how = f"plain.{settle}_secretly" if view.ask.has_ballots else f"plain.{settle}"
        if view.ask.settle.is_vote and how not in self._is_used_to:
            self._is_used_to.add(how)
            self.tell(how)
        if view.ask.settle is Settle.WINDOW:
            self.tell(how, view.ask.seconds)
            if view.table.room.settings.stops:
                self.tell("plain.window_done")
        least = least_seconds(view.table.room)
        if view.may_interrupt:
            # The list of choices was printed last, so a bare number means one of them.
            self.numbered = ""
        elif least and view.ask.settle is Settle.BESIDE and how not in self._is_used_to:
            self._is_used_to.add(how)
            self.tell(how, least)
        if view.ask.settle.can_pass and len(view.ask.questions) > 1:
            self.tell(how)
            if done := done_line(self.speaker, view.table):
                self.print([done])

    def open_replay(self, fetched: FetchedGame) -> None:
        game = read_fetched(self.model, fetched.data)
        if game is None:
            return
        self.model.replayed = game.replay.tables[-1].room.ruleset
        replay = PlainReplay(
            game.replay, lambda: self.speaker, self.model.note_books, game.reword, game.close
        )
        self.replay = replay
        replay.begin_review(self.model, self.port)
        # The server has notes only on games whose secrets are all open.
        if game.archive.header.is_whole:
            self.port.list_game_notes(game.archive.header.room_id)
        words = (self.speaker.say(f"plain.replay_word.{name}") for name in ("help", "leave"))
        self.tell("plain.replay_how", *words)
        self.print(replay.position_lines())
        name = self.speaker.say("plain.replay_word.timeline")
        game.look_back(fetched.data, lambda: self.tell("plain.hindsight_found", name))

    # The player's place

    @property
    def place(self) -> PlayerPlace:
        view = self.model.view
        if view is None:
            return PlayerPlace.LOBBY
        is_before = view.table.room.stage in {Stage.LOBBY, Stage.STARTING}
        return PlayerPlace.WAITING if is_before else PlayerPlace.GAME

    def view(self) -> TableView:
        """Return the followed table. Raise UnreadableCommand if there is none."""
        if self.model.view is None:
            raise UnreadableCommand("plain.need_table")
        return self.model.view

    def game(self) -> GameTable:
        """Return the game on the followed table. Raise UnreadableCommand before it has begun."""
        game = self.view().table.game
        if game is None:
            raise UnreadableCommand("plain.need_game")
        return game

    def must_act_as_host(self) -> None:
        """Raise UnreadableCommand if the viewer may not do what is the host's; say who may."""
        if self.model.is_host:
            return
        if self.place is not PlayerPlace.GAME:
            raise UnreadableCommand("wrong.not_host")
        table = self.view().table
        raise UnreadableCommand("wrong.not_steward", self.speaker.seat(table, steward(table.room)))

    def question(self) -> tuple[TableView, Question]:
        """Return the followed table, and the question that the player is asked.

        Of a row of questions, this is the first one without picks. Raise UnreadableCommand if the
        player is asked nothing.
        """
        view = self.view()
        question = view.my_question()
        if question is None:
            raise UnreadableCommand("plain.not_asked", words.waiting_line(self.speaker, view))
        assert view.ask is not None
        return view, question.row[len(self._given_to(view.ask.ask_id))]

    def given(self, ask_id: int, picks: tuple[str, ...]) -> tuple[str, ...] | None:
        """
        Return the complete answer after the last question of a row; else ask the next question.

        Args:
            ask_id: the open question.
            picks: the picks of the part that was asked last.

        Returns:
            The picks of all questions in the row; None if there is a next question.
        """
        given = (*self._given_to(ask_id), picks)
        view = self.view()
        question = view.my_question()
        assert question is not None
        if len(given) == len(question.row):
            return tuple(pick for part in given for pick in part)
        self._given = ask_id, given
        self.ask(view, question)
        return None

    def must_be_sure(self, picks: tuple[str, ...]) -> None:
        """Raise UnreadableCommand to warn of risky picks.

        Do nothing if the player has just repeated the picks after the warning.
        """
        view, question = self.question()
        risks = face_of(view.table.room.ruleset).risks
        risky = [c for c in question.choices if c.choice_id in picks and c.group in risks]
        if risky and self._sure_of != picks:
            self._sure_of = picks
            raise UnreadableCommand("plain.sure", self.speaker.text(risky[0].text))

    @property
    def is_in_row(self) -> bool:
        """Whether the open question belongs to several questions that are answered together."""
        view = self.model.view
        question = None if view is None else view.my_question()
        return question is not None and len(question.row) > 1

    def go_back(self) -> None:
        """
        Ask the previous question of the row again.

        Raise UnreadableCommand at the first question.
        """
        view, _ = self.question()
        whole = view.my_question()
        assert view.ask is not None
        assert whole is not None
        given = self._given_to(view.ask.ask_id)
        if not given:
            raise UnreadableCommand("plain.no_previous")
        self._given = view.ask.ask_id, given[:-1]
        self.ask(view, whole)

    def _given_to(self, ask_id: int) -> tuple[tuple[str, ...], ...]:
        """Return the picks so far in the open row of questions."""
        return self._given[1] if self._given[0] == ask_id else ()

    def listing(self) -> ListedChoices | None:
        """Return the open question as it was printed; None if no question is open."""
        view, shown = self.model.view, self.shown
        if view is None or view.my_question() is None or view.ask is None or shown is None:
            return None
        return shown if shown.ask_id == view.ask.ask_id else None

    def refused(self) -> list[str]:
        """Return the words of all refused choices of the open question."""
        question = None if self.model.view is None else self.model.view.my_question()
        return [] if question is None else [self.speaker.text(one.text) for one in question.refused]

    # Reading what was typed

    def which(self, typed: str, names: Iterable[str]) -> int:
        """Return the index of the meant name. Raise UnreadableCommand for none or several."""
        return find(typed, tuple(names), little_words(self.speaker))

    def which_scenario(self, typed: str, lines: Sequence[ScenarioLine]) -> int:
        """Return the index of the scenario meant by its number, id or title.

        Raises:
            UnreadableCommand: none or several fit.
        """
        wanted = typed.casefold()
        for at, line in enumerate(lines):
            if wanted in {line.scenario, line.scenario.partition("/")[2]}:
                return at
        return self.which(typed, [self.model.title(line.scenario) for line in lines])

    def is_word(self, typed: str, command: str) -> bool:
        """
        Return whether a typed word is a name or another known word for a command.

        The word may be in the player's language or in English.
        """
        if self.is_own_word(typed, command):
            return True
        locale, key = self.speaker.locale, f"plain.also.{command}"
        others = locale.say(key).split() if locale.has(key) else []
        # A sign such as `?` folds to nothing.
        folded = folded_words(typed)
        return typed in others or (bool(folded) and folded in map(folded_words, others))

    def is_own_word(self, typed: str, command: str) -> bool:
        """Return whether a typed word is a command's name in the player's language or English."""
        return folded_words(typed) in {folded_words(command), folded_words(self.word(command))}
