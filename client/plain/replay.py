"""
A replay in lines, with commands for the steps, views and moments that the screen also has.

The replay knows no terminal: it takes a line and yields the lines to print.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from client.journal.replay_model import ReplayModel
from client.journal.timeline import lasting, row_in_words, timeline
from client.journal.together import Together
from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.tables import role_of
from client.model.viewpoints import Viewpoint
from client.net.client_port import ClientPort
from client.notes.note_book import About, Books
from client.plain.choice import UnreadableCommand, find
from client.plain.naming import little_words
from client.plain.notes import do_notes, pieces_in
from client.plain.review import PlainReview
from client.screens.review.offered import offered
from client.screens.review.replay_words import ReplayWords
from client.settings.preferences import Charset
from client.tellers.base import JournalLine
from client.text.ascii_fold import folded_words
from client.text.searching import find_all
from client.widgets.scene import Scene
from protocol.common.hindsight import Hindsight

_MOST_HITS = 20
"""The maximum number of journal lines that a search prints."""
_WORDS = (
    *(
        "next",
        "back",
        "event",
        "question",
        "turn",
        "round",
        "view",
        "moments",
        "timeline",
        "offered",
    ),
    *("find", "note", "together", "practise", "all", "help", "leave"),
)
"""The commands, in the order of help."""
_ALONE = frozenset({"next", "back", "moments", "offered", "practise", "all", "help", "leave"})
"""Commands without an argument."""


@attrs.define(eq=False, repr=False)
class PlainReplay:
    """A replay for plain mode: takes typed commands and yields lines."""

    replay: ReplayModel
    speaker_now: Callable[[], Speaker]
    books: Books | None = None
    """Opens the player's notes; None if notes are not stored."""
    reword: Callable[[], None] = lambda: None
    """Reloads all words of the game in the current language."""
    close: Callable[[], None] = lambda: None
    """Called when the player leaves the replay."""
    is_over: bool = attrs.field(default=False, init=False)
    """Whether the player has left the replay."""
    review: PlainReview | None = attrs.field(default=None, init=False)
    """The review of the game; None if the game is from a file."""
    _lines: list[JournalLine] = attrs.field(factory=list, init=False)
    _language: str = attrs.field(default="", init=False)
    _known: Sequence[Hindsight] = attrs.field(default=(), init=False)
    """The hindsight that the journal tells."""

    def __attrs_post_init__(self) -> None:
        self._write()

    def begin_review(self, model: ClientModel, port: ClientPort) -> None:
        """Enable shared reviews of the game; only a game fetched from a server has them."""
        lead = partial(port.lead_review, self._room_id)
        together = Together(model, self.replay, lead, self._look_from)
        self.review = PlainReview(
            model, port, self.replay, together, self.position_lines, self._pieces
        )

    @property
    def _room_id(self) -> str:
        return self.replay.tables[-1].room.room_id

    def _write(self) -> None:
        self._language, self._known = self.speaker.locale.language, self.replay.hindsight
        self.reword()
        self._lines = self.replay.journal(self.speaker)

    @property
    def speaker(self) -> Speaker:
        return self.speaker_now()

    def run(self, line: str) -> Iterator[str]:
        """Carry out a line; yield the lines to print, or the reason why the line has no meaning."""
        # The language may have been changed at the table, meanwhile.
        is_spoken = self._language == self.speaker.locale.language
        if not is_spoken or self._known is not self.replay.hindsight:
            self._write()
        first, _, argument = " ".join(line.split()).partition(" ")
        try:
            if not first:
                yield from self._gone(is_gone=self.replay.step(1))
            elif first.isdecimal() and not argument:
                yield from self._go_to(first)
            else:
                yield from self._do(self._command_named(first), argument)
        except UnreadableCommand as problem:
            yield problem.in_words(self.speaker)
        # Nothing else prompts for news: a replay prints only after a typed line.
        if self.review is not None and not self.is_over:
            yield from self.review.news()

    def _command_named(self, word: str) -> str:
        """
        Return the command that equals a word, else the only command that begins with the word.

        Raise UnreadableCommand if no command fits, or several do.
        """
        folded = "".join(folded_words(word))
        own = {name: "".join(folded_words(self._word(name))) for name in _WORDS}
        exact = [name for name in _WORDS if folded in {name, own[name]}]
        found = exact or [name for name in _WORDS if folded and own[name].startswith(folded)]
        if len(found) != 1:
            raise UnreadableCommand("plain.replay_unknown", word[:40], self._word("help"))
        return found[0]

    def _word(self, name: str) -> str:
        return self.speaker.say(f"plain.replay_word.{name}")

    def _do(self, name: str, argument: str) -> Iterator[str]:
        replay = self.replay
        if argument and name in _ALONE:
            raise UnreadableCommand("plain.takes_nothing", self._word(name))
        moves = {
            "next": lambda: replay.step(1),
            "back": lambda: replay.step(-1),
            "question": lambda: replay.step_choice(self._by(argument)),
            "turn": lambda: replay.step_turn(self._by(argument)),
            "round": lambda: replay.leap(self._by(argument)),
        }
        if name in moves:
            return self._gone(is_gone=moves[name]())
        review = self.review
        if review is None and name in {"together", "practise"}:
            raise UnreadableCommand(
                "review.not_here" if name == "together" else "practice.not_here"
            )
        does: dict[str, Callable[[str], Iterator[str]]] = {
            "event": lambda text: (
                self._go_to(text)
                if text.isdecimal()
                else self._gone(is_gone=replay.step_event(self._by(text)))
            ),
            "view": self._view,
            "moments": self._moments,
            "timeline": self._timeline,
            "offered": lambda _: (text for _, text in offered(self._said().scene, replay.chosen())),
            "find": self._find,
            "note": lambda text: do_notes(
                self.speaker, self.books, self._room_id, replay.event, text, self._pieces
            ),
            "all": lambda _: map(self._told, self._lines),
            "help": self._help,
            "leave": self._leave,
        }
        if review is not None:
            does |= {"together": review.run, "practise": lambda _: review.practise()}
        return does[name](argument)

    def _by(self, argument: str) -> int:
        """Return the direction that the argument names: 1 for forward and -1 for back."""
        if not argument:
            return 1
        if folded_words(argument) in {folded_words("back"), folded_words(self._word("back"))}:
            return -1
        raise UnreadableCommand("plain.replay_back", self._word("back"))

    # Where this is

    def position_lines(self) -> Iterator[str]:
        """Yield the position in the game, and the last event."""
        said = self._said()
        yield said.place()
        yield from said.note(self._lines)

    def _said(self) -> ReplayWords:
        scene = Scene(self.replay.table, self.replay.point.seat, self.speaker, Charset.ASCII)
        return ReplayWords(self.replay, scene, is_plain=True)

    def _gone(self, *, is_gone: bool) -> Iterator[str]:
        if not is_gone:
            raise UnreadableCommand("replay.end")
        return self.position_lines()

    def _go_to(self, event: str) -> Iterator[str]:
        if not event.isdecimal() or not self.replay.go_to(int(event)):
            raise UnreadableCommand("replay.no_event", len(self.replay.records) - 1)
        return self.position_lines()

    # What there is

    def _view(self, argument: str) -> Iterator[str]:
        names = [self._said().eyes_of(point) for point in self.replay.points]
        if not argument:
            yield from (f"{at}. {name}" for at, name in enumerate(names, 1))
            yield self.speaker.say("plain.replay_view_hint", self._word("view"))
            return
        at = find(argument, tuple(names), little_words(self.speaker))
        self._look_from(self.replay.points[at])
        yield from self.position_lines()

    def _look_from(self, point: Viewpoint) -> None:
        self.replay.switch_viewpoint(point)
        self._write()

    def _moments(self, _: str) -> Iterator[str]:
        found = self.replay.moments(self._lines)
        yield from (self._told(moment.line) for moment in found)
        yield self.speaker.say("plain.replay_go_hint" if found else "box.nothing")

    def _timeline(self, argument: str) -> Iterator[str]:
        """Yield the timeline of a round: the typed one, or the current one."""
        replay, speaker = self.replay, self.speaker
        numbers = {line.round_number for line in self._lines}
        number = replay.round_at(replay.position)
        if argument:
            if not argument.isdecimal() or int(argument) not in numbers:
                raise UnreadableCommand("timeline.no_round", max(numbers, default=0))
            number = int(argument)
        rows = timeline(replay, self._lines, number)
        if rows:
            yield from lasting(replay, rows[0].line.sequence - 1, speaker)
        yield from (row_in_words(row, speaker) for row in rows)
        yield speaker.say("plain.replay_go_hint" if rows else "box.nothing")

    def _told(self, line: JournalLine) -> str:
        return self._said().told(line)

    def _find(self, argument: str) -> Iterator[str]:
        if not argument:
            raise UnreadableCommand("plain.replay_find", self._word("find"))
        hits = [line for line in self._lines if any(find_all(argument, line.text))]
        if not hits:
            raise UnreadableCommand("replay.no_hit", argument[:40])
        yield from map(self._told, hits[:_MOST_HITS])
        if len(hits) > _MOST_HITS:
            yield self.speaker.say("plain.replay_more", len(hits) - _MOST_HITS)
        yield self.speaker.say("plain.replay_go_hint")

    def _pieces(self) -> Iterator[About]:
        replay = self.replay
        role = role_of(replay.tables[-1], replay.point.seat)
        return pieces_in(replay.face, role, self._said().scene)

    def _help(self, _: str) -> Iterator[str]:
        say = self.speaker.say
        yield say("plain.replay_help")
        for name in _WORDS:
            yield say("entry.line", self._word(name), say(f"plain.replay_help.{name}"))

    def _leave(self, _: str) -> Iterator[str]:
        self.is_over = True
        self.close()
        if self.review is not None:
            self.review.leave()
        return iter(())
