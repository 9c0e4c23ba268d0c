"""A review on the screen: its lines over a replay, and its menu."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from client.journal.replay_model import ReplayModel
from client.journal.together import Together
from client.keymap.keys import Action
from client.model.review import Review
from client.model.tables import role_of
from client.plugs.face import BoardReading, ListReading, Reading
from client.screens.base.boxes import Item, Menu, TextBox
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.screens.review.review_words import (
    game_note_line,
    game_notes_at,
    pointed_line,
    said_line,
    spaces_at,
    status_line,
)
from client.screens.review.space_box import SpaceBox
from client.tellers.base import JournalLine
from client.widgets.paragraphs import Paragraph
from client.widgets.scene import SPACE, Scene
from protocol.common.asks import Point
from protocol.common.templates import Nickname
from protocol.messages import MAX_NOTE, MAX_TAG, GameNote
from protocol.plain_text import clean

POINTED_SECONDS = 8.0
"""The number of seconds for which a piece stays highlighted after a member pointed at it."""
_SAID = 2
"""The maximum number of lines of talk over a replay."""
_LAST = 5
"""The number of last journal lines that a member can point at."""


@attrs.define(eq=False)
class ReviewTable:
    """The review of the game that a replay shows."""

    desk: Desk
    replay: ReplayModel
    together: Together
    _points: int = attrs.field(default=0, init=False)
    """The review's count of pointings at the last frame, to notice new pointings."""
    _pointed_at: float = attrs.field(default=0.0, init=False)

    @property
    def room_id(self) -> str:
        return self.replay.tables[-1].room.room_id

    def _review(self) -> Review:
        review = self.together.review
        if review is None:
            raise CannotDo("review.not_in")
        return review

    def keep_up(self) -> None:
        """Follow the leader's place, or publish the viewer's if the viewer leads.

        Called for every frame.
        """
        due = self.together.keep_up(self.desk.now())
        if due is not None:
            self.desk.draw_again_in(due)

    def lines(self) -> Iterator[str]:
        """Yield lines about the review: its state, its talk, and the notes on the current event."""
        review, desk = self.together.review, self.desk
        if review is not None:
            yield status_line(desk.speaker, review)
            if review.state.branch_id and not review.is_leader:
                yield desk.say("review.plays_on", review.leader)
            if review.pointed is not None and self._is_new(review):
                yield pointed_line(desk.speaker, self.replay, review.pointed)
            yield from (said_line(desk.speaker, one) for one in review.said[-_SAID:])
        notes = desk.model.finished.notes.get(self.room_id, ())
        yield from game_notes_at(desk.speaker, notes, self.replay.event)

    def _is_new(self, review: Review) -> bool:
        now = self.desk.now()
        if review.point_count != self._points:
            self._points, self._pointed_at = review.point_count, now
        left = self._pointed_at + POINTED_SECONDS - now
        if left > 0:
            self.desk.draw_again_in(left)
        return left > 0

    def lit(self) -> frozenset[Point]:
        """Return the piece that a member points at, which is highlighted for some seconds."""
        review = self.together.review
        if review is None or review.pointed is None or not self._is_new(review):
            return frozenset()
        return frozenset({Point(review.pointed.kind, review.pointed.piece)})

    # Keys

    def open(self, lines: list[JournalLine]) -> None:
        """
        Open the menu of a review.

        Raise CannotDo while offline, or for a game that has no reviews.
        """
        desk = self.desk
        if not desk.model.is_online:
            raise CannotDo("error.offline")
        if self.room_id not in desk.model.finished.notes:
            # A file of this machine, or a game of which not all is open.
            raise CannotDo("review.not_here")
        port, room_id, items = desk.port, self.room_id, list[tuple[str, Callable[[], None]]]()
        say, review = desk.say, self.together.review
        if review is None:
            items.append((say("review.join"), partial(port.join_review, room_id)))
        else:
            if not review.is_leader and not review.is_following:
                items.append((say("review.follow"), self.together.follow))
            items.append((say("review.point"), partial(self.point, lines)))
            items.append((say("review.say"), self.talk))
            if review.said:
                talk = TextBox(desk, "box.review_talk", self._talk_lines)
                items.append((say("review.talk"), partial(desk.open, talk)))
            for one in review.others if review.is_leader else ():
                hand = partial(port.hand_review, room_id, one.number)
                items.append((say("review.hand", Nickname(one.name)), hand))
        items.append((say("review.note"), partial(self._ask_note, is_tag=False)))
        items.append((say("review.tag"), partial(self._ask_note, is_tag=True)))
        if desk.model.finished.notes[room_id]:
            items.append((say("review.notes"), self._open_notes))
        if review is not None:
            items.append((say("review.leave"), partial(port.leave_review, room_id)))
        desk.open(Menu(desk, "box.review", [Item(*one) for one in items]))

    def hints(self) -> set[Action]:
        review = self.together.review
        if review is None:
            return {Action.TOGETHER} if self.room_id in self.desk.model.finished.notes else set()
        is_free = not review.is_leader and (not review.is_following or bool(review.state.branch_id))
        own = {Action.FOLLOW} if is_free else set()
        return {Action.TOGETHER, Action.CHAT, *own}

    def follow(self) -> None:
        """Follow the leader again, also into a practice game.

        Raise CannotDo outside a review, and for its leader.
        """
        if self._review().is_leader:
            raise CannotDo("review.you_lead")
        self.together.follow()
        if branch_id := self._review().state.branch_id:
            self.desk.port.go_to_practice(branch_id)

    def talk(self) -> None:
        """Type a line to all members. Raise CannotDo outside a review."""
        room_id = self._review().room_id
        say = partial(self.desk.port.talk_in_review, room_id)
        self.desk.entry = TextEntry("entry.chat", say, stays=True)

    def _talk_lines(self) -> list[Paragraph]:
        # Asked for each frame, also after the review ended under the open box.
        review = self.together.review
        said = [] if review is None else review.said
        return [("", said_line(self.desk.speaker, one)) for one in said]

    def point(self, lines: list[JournalLine]) -> None:
        """Open the menu of things to point out to all members.

        Raise CannotDo outside a review.
        """
        self._review()
        desk, replay, event = self.desk, self.replay, self.replay.event
        scene = Scene(replay.table, replay.point.seat, desk.speaker, desk.charset)
        items = [
            Item(line.text, partial(self._point, line.sequence)) for line in lines[-_LAST:][::-1]
        ]
        spaces = spaces_at(replay, desk.speaker, event)
        boards = [one.board for one in self._readings() if isinstance(one, BoardReading)]
        if spaces and boards:
            # The replay may go on meanwhile; the board stays as it was.
            box = partial(
                SpaceBox,
                *(desk, lambda: scene, boards[0](), spaces),
                lambda space: self._point(event, (SPACE, space)),
            )
            items.append(Item(desk.say("review.point_space"), lambda: desk.open(box())))
        items += [
            Item(desk.speaker.name(*about), partial(self._point, event, about))
            for about in dict.fromkeys(
                row.about
                for reading in self._readings()
                if isinstance(reading, ListReading)
                for row in reading.rows(scene)
                if row.about is not None
            )
        ]
        desk.open(Menu(desk, "box.point", items))

    def _point(self, event: int, about: tuple[str, str] = ("", "")) -> None:
        self.desk.port.point_in_review(self.room_id, event, about)

    def _readings(self) -> Sequence[Reading]:
        replay = self.replay
        return replay.face.readings_for(role_of(replay.tables[-1], replay.point.seat))

    # Notes

    def _ask_note(self, *, is_tag: bool) -> None:
        event = self.replay.event

        def note(typed: str) -> None:
            if len(clean(typed).strip()) > (most := MAX_TAG if is_tag else MAX_NOTE):
                raise CannotDo("review.long_tag" if is_tag else "review.long_note", most)
            self.desk.port.note_game(self.room_id, event, typed, is_tag=is_tag)

        label = "entry.tag" if is_tag else "entry.note"
        self.desk.entry = TextEntry(label, note, "hint.write_note")

    def _open_notes(self) -> None:
        desk = self.desk
        notes = desk.model.finished.notes.get(self.room_id, ())
        items = [
            Item(game_note_line(desk.speaker, one), partial(self._open_note, one)) for one in notes
        ]
        desk.open(Menu(desk, "box.game_notes", items))

    def _go_to(self, event: int) -> None:
        self.replay.go_to(event)

    def _open_note(self, note: GameNote) -> None:
        desk = self.desk
        items = [Item(desk.say("notes.go_to"), partial(self._go_to, note.event))]
        if note.is_mine:
            remove = partial(desk.port.unnote_game, self.room_id, note.number)
            items.append(Item(desk.say("notes.remove"), remove))
        desk.open(Menu(desk, "box.note", items))
