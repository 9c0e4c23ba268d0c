"""A review in lines: its news above a replay, and its command."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import attrs

from client.journal.replay_model import ReplayModel
from client.journal.together import Together, place_of
from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.review import Review
from client.net.client_port import ClientPort
from client.notes.note_book import About
from client.plain.choice import UnreadableCommand, find, place_in
from client.plain.naming import little_words
from client.plain.notes import safely
from client.screens.reading.note_words import text_of
from client.screens.review.review_words import (
    game_note_line,
    pointed_line,
    said_line,
    spaces_at,
    status_line,
)
from client.text.ascii_fold import folded_words
from client.widgets.scene import SPACE
from protocol.messages import MAX_NOTE, GameNote

_WORDS = (
    *("join", "leave", "lead", "follow", "point", "say"),
    *("note", "tag", "notes", "remove", "share"),
)
"""Subcommands, in the order of help."""


@attrs.define(eq=False, repr=False)
class PlainReview:
    """The review of a replay in lines."""

    model: ClientModel
    port: ClientPort
    replay: ReplayModel
    together: Together
    here: Callable[[], Iterator[str]]
    """Yields the position in the game."""
    pieces: Callable[[], Iterable[About]]
    """Returns the pieces that a member can point at."""
    _status: str = attrs.field(default="", init=False)
    """The line about the present members that was printed last."""
    _heard: int = attrs.field(default=0, init=False)
    _points: int = attrs.field(default=0, init=False)
    _notes: tuple[GameNote, ...] = attrs.field(default=(), init=False)

    @property
    def speaker(self) -> Speaker:
        return self.model.speaker

    @property
    def room_id(self) -> str:
        return self.replay.tables[-1].room.room_id

    @property
    def notes(self) -> tuple[GameNote, ...]:
        return self.model.finished.notes.get(self.room_id, ())

    # What is told

    def news(self) -> Iterator[str]:
        """Follow the leader; yield the news."""
        before = place_of(self.replay)
        # Without a timer: lines are typed one after the other.
        self.together.least_seconds = 0.0
        self.together.keep_up(0.0)
        review = self.together.review
        if review is None:
            if self._status:
                yield self.speaker.say("plain.review_left")
            self._status, self._heard, self._points = "", 0, 0
        else:
            status = status_line(self.speaker, review, self._typed("follow"))
            if review.state.branch_id and not review.is_leader and not self.model.finished.practice:
                status = self.speaker.say(
                    "plain.review_plays_on", review.leader, self._typed("follow")
                )
            if status != self._status:
                yield status
            # By count, not by length: only the last lines are kept.
            fresh = review.said_count - self._heard
            yield from (said_line(self.speaker, one) for one in review.said[-fresh:] if fresh)
            if review.pointed is not None and review.point_count != self._points:
                yield pointed_line(self.speaker, self.replay, review.pointed)
            self._status, self._heard, self._points = status, review.said_count, review.point_count
        yield from (game_note_line(self.speaker, n) for n in self.notes if n not in self._notes)
        self._notes = self.notes
        if place_of(self.replay) != before:
            yield from self.here()

    def leave(self) -> None:
        if self.together.review is not None:
            self.port.leave_review(self.room_id)

    def practise(self) -> Iterator[str]:
        """Open a practice game from the current event; a leader takes all members along."""
        if not self.model.is_online:
            raise UnreadableCommand("error.offline")
        if self.room_id not in self.model.finished.notes:
            raise UnreadableCommand("practice.not_here")
        self.port.practise(self.room_id, max(0, self.replay.event))
        return iter(())

    def _word(self, name: str) -> str:
        return self.speaker.say(f"plain.review_word.{name}")

    def _typed(self, name: str) -> str:
        return f"{self.speaker.say('plain.replay_word.together')} {self._word(name)}"

    # What is typed

    def run(self, argument: str) -> Iterator[str]:
        """Carry out the argument of the command `together`; yield the lines to print.

        Raise UnreadableCommand if the argument is malformed or cannot be carried out.
        """
        if not self.model.is_online:
            raise UnreadableCommand("error.offline")
        if self.room_id not in self.model.finished.notes:
            raise UnreadableCommand("review.not_here")
        first, _, rest = argument.partition(" ")
        if not first:
            review = self.together.review
            if review is not None:
                yield status_line(self.speaker, review, self._typed("follow"))
            yield self.speaker.say("plain.review_help")
            for name in _WORDS:
                help_ = self.speaker.say(f"plain.review_help.{name}")
                yield self.speaker.say("entry.line", self._typed(name), help_)
            return
        names = [
            n for n in _WORDS if folded_words(first) in {(n,), tuple(folded_words(self._word(n)))}
        ]
        if not names:
            raise UnreadableCommand("plain.review_unknown", self.speaker.say(_COMMAND))
        yield from self._do(names[0], rest.strip()) or ()

    def _do(self, name: str, rest: str) -> Iterable[str] | None:
        does: dict[str, Callable[[str], Iterable[str] | None]] = {
            "join": lambda _: self.port.join_review(self.room_id),
            "leave": lambda _: self.port.leave_review(self._review().room_id),
            "lead": self._hand,
            "follow": self._follow,
            "point": self._point,
            "say": lambda text: self.port.talk_in_review(self._review().room_id, text),
            "note": partial(self._note, is_tag=False),
            "tag": partial(self._note, is_tag=True),
            "notes": lambda _: (
                [
                    f"{at}. {game_note_line(self.speaker, note)}"
                    for at, note in enumerate(self.notes, 1)
                ]
                or [self.speaker.say("box.nothing")]
            ),
            "remove": lambda number: self.port.unnote_game(
                self.room_id, self.notes[place_in(number, len(self.notes))].number
            ),
            "share": self._share,
        }
        return does[name](rest)

    def _review(self) -> Review:
        if self.together.review is None:
            raise UnreadableCommand("plain.review_none", self._typed("join"))
        return self.together.review

    def _hand(self, name: str) -> None:
        review = self._review()
        others = review.others
        at = find(name, tuple(one.name for one in others), little_words(self.speaker))
        self.port.hand_review(review.room_id, others[at].number)

    def _follow(self, _: str) -> Iterable[str]:
        if self._review().is_leader:
            raise UnreadableCommand("review.you_lead")
        self.together.follow()
        if branch_id := self._review().state.branch_id:
            self.port.go_to_practice(branch_id)
            return ()
        return self.here()

    def _point(self, name: str) -> None:
        room_id, about = self._review().room_id, ("", "")
        if name:
            # Pieces, then spaces.
            names = {piece: self.speaker.name(*piece) for piece in self.pieces()}
            spaces = spaces_at(self.replay, self.speaker, self.replay.event)
            names |= {(SPACE, space): said for space, said in spaces.items()}
            about = list(names)[find(name, tuple(names.values()), little_words(self.speaker))]
        self.port.point_in_review(room_id, self.replay.event, about)

    def _note(self, text: str, *, is_tag: bool) -> None:
        if not text:
            raise UnreadableCommand("plain.review_text", self._typed("tag" if is_tag else "note"))
        self.port.note_game(self.room_id, self.replay.event, text, is_tag=is_tag)

    def _share(self, number: str) -> None:
        """Send the private note with this number to the server, which stores it with the game."""
        if self.model.note_books is None:
            raise UnreadableCommand("notes.none_kept")
        book = self.model.note_books(self.room_id)
        notes = safely(self.speaker, book, book.read)
        note = notes[place_in(number, len(notes))]
        text = text_of(self.speaker, note)
        if len(text) > MAX_NOTE:
            raise UnreadableCommand("review.long_note", MAX_NOTE)
        self.port.note_game(self.room_id, note.event, text)


_COMMAND = "plain.replay_word.together"
