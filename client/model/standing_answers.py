"""
Standing answers: choices that this client makes by itself whenever they are offered.

They are beside the standing passes, which the server carries out: they stay with this client, last
until it ends, and answer only what the viewer's seat is asked. Nobody else learns of them but by
how soon an answer comes.
"""

from collections.abc import Callable, Iterator, Sequence

import attrs

from client.locale.speaker import Speaker
from client.model.passing import kind_name, lapses_for
from client.model.tables import TableView
from protocol.common import events
from protocol.common.asks import Choice, Question
from protocol.common.standing import covers
from protocol.common.table import GameTable, RoomEvent
from protocol.common.text import Text, strings_of
from protocol.event import Event


@attrs.frozen
class StandingOffer:
    """The standing answers that a game offers."""

    once: frozenset[str]
    """Groups of kinds of question in which nothing can be chosen twice in a row; elsewhere a choice
    that stands would use up whatever it needs."""
    is_own: Callable[[GameTable, int], bool | None]
    """Return whether what goes on is the seat's own; None while nothing does that is somebody's."""
    vain: frozenset[str] = frozenset()
    """Groups of choices that gain nothing: one can pass wherever there are no others."""
    occasions: frozenset[str] = frozenset()
    """Subjects of a thing with what it answers this time: the thing, their first parameter, stands
    for them whatever it answers."""
    lapses: Callable[[GameTable], frozenset[str]] | None = None
    """Return the lapses that can come next, as of a test that goes on; None if all always can."""
    quiet: tuple[type[Event], ...] = ()
    """Events of the game with which nothing happens, such as the steps of a phase."""
    whole: frozenset[tuple[str, str]] = frozenset()
    """Groups with lapses until which one passes on the whole group, not on one kind of it."""

    def can_repeat(self, kind: str, choice: Choice) -> bool:
        """Return whether a choice may stand."""
        return not choice.ends and any(covers(group, kind) for group in self.once)

    def lasting(self, text: Text) -> Text:
        """Return the words of a choice without what it answers this time."""
        params = tuple(
            one.params[0] if isinstance(one, Text) and one.subject in self.occasions else one
            for one in text.params
        )
        return Text(text.subject, params, text.field)

    def gains(self, question: Question) -> bool:
        """Return whether a question offers something that gains anything, besides passing."""
        return any(not one.ends and one.group not in self.vain for one in question.choices)

    def has_vain(self, question: Question) -> bool:
        """Return whether a question offers something that gains nothing."""
        return any(one.group in self.vain for one in question.choices)

    def lapses_now(self, view: TableView, kind: str) -> tuple[str, ...]:
        """Return the lapses until which one can pass on a kind now, in the order of the game."""
        found, game = lapses_for(view, kind), view.table.game
        if self.lapses is None or game is None:
            return found
        now = self.lapses(game)
        return tuple(one for one in found if one in now)

    def covered(self, kind: str, lapse: str) -> str:
        """Return the kind, or the group of it, on which one passes until something lapses."""
        found = (group for group, until in self.whole if until == lapse and covers(group, kind))
        return next(found, kind)


@attrs.frozen
class StandingAnswer:
    """One standing answer of the viewer's seat."""

    kind: str
    """Kind of question; empty for all."""
    choice: Text | None = None
    """The choice that is made; None to pass on what is another seat's own."""
    is_again: bool = False
    """True to pass on what the seat has passed on already, until something happens."""

    def picks(
        self, question: Question, offer: StandingOffer, *, is_own: bool | None, is_again: bool
    ) -> tuple[str, ...] | None:
        """Return the answer to a question of this kind; None if it does not apply."""
        if self.is_again:
            return question.passing if is_again else None
        if self == WHERE_VAIN:
            is_vain = offer.has_vain(question) and not offer.gains(question)
            return question.passing if is_vain else None
        if self.choice is None:
            return question.passing if is_own is False else None
        wanted = [*strings_of(self.choice)]
        offered = ((one, [*strings_of(offer.lasting(one.text))]) for one in question.choices)
        first = next((one.choice_id for one, said in offered if said == wanted), None)
        return None if first is None else (first,)


WHERE_VAIN = StandingAnswer("")
"""To pass wherever nothing that is offered gains anything."""
WHERE_AGAIN = StandingAnswer("", is_again=True)
"""To pass wherever all that is offered was passed on and nothing has happened since."""
_OF_QUESTIONS = (events.Asked, events.Settled, events.PassesLapsed, events.CheckpointReached)
"""Events with which nothing happens in any game, inputs apart."""


def is_passed_again(view: TableView, question: Question, offer: StandingOffer) -> bool:
    """
    Return whether the viewer has passed on all that a question offers, and nothing happened since.

    To use something counts as something that happens, so all questions since then were passed on. A
    question on which a standing pass of the server answered was never read.
    """
    assert view.seat is not None
    passed, unread = set[object](), set[int]()
    has_passed = False
    quiet = (RoomEvent, *_OF_QUESTIONS, *offer.quiet)
    for record in reversed(view.records):
        event = record.event
        if isinstance(event, events.PassedStanding) and view.seat in event.seats:
            unread.add(event.ask_id)
        elif isinstance(event, events.Asked) and view.seat in event.questions:
            sealed = event.questions[view.seat]
            is_read = event.settle.has_pass and event.ask_id not in unread
            if is_read and sealed.is_open and sealed.value != question:
                has_passed = True
                passed.update(_offered(sealed.value))
        elif not isinstance(event, quiet):
            break
    return has_passed and passed.issuperset(_offered(question))


def _offered(question: Question) -> Iterator[object]:
    """Yield what a question offers besides passing, without ids."""
    return ((one.text, one.points) for one in question.choices if not one.ends)


def answer_of(
    view: TableView, answers: Sequence[StandingAnswer], offer: StandingOffer | None
) -> tuple[str, ...] | None:
    """Return what the viewer's standing answers say to the open question; None for nothing."""
    question, ask, game = view.my_question(), view.ask, view.table.game
    if offer is None or None in (question, ask, game, view.seat) or view.is_practice:
        return None
    assert question is not None
    assert ask is not None
    assert game is not None
    assert view.seat is not None
    if not ask.settle.has_pass or question.then:
        return None
    is_own = offer.is_own(game, view.seat)
    of_kind = (one for one in answers if one.kind in ("", ask.kind))
    is_again = WHERE_AGAIN in answers and is_passed_again(view, question, offer)
    found = (one.picks(question, offer, is_own=is_own, is_again=is_again) for one in of_kind)
    return next((picks for picks in found if picks is not None), None)


def with_answer(
    answers: Sequence[StandingAnswer], one: StandingAnswer
) -> tuple[StandingAnswer, ...]:
    """Return the answers with one more, which replaces any other on its kind and choice."""
    return (*(other for other in answers if other != one), one)


def answer_text(speaker: Speaker, view: TableView, one: StandingAnswer) -> str:
    """Return a standing answer as a sentence without a full stop."""
    if one == WHERE_VAIN:
        return speaker.say("standing.vain")
    if one == WHERE_AGAIN:
        return speaker.say("standing.again")
    name = kind_name(speaker, view, one.kind)
    if one.choice is None:
        return speaker.say("standing.others", name)
    return speaker.say("standing.choice", name, speaker.text(one.choice))
