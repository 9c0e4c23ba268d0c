"""
Hindsight on a finished game: the keeper's hands, missed strikes, and the answers that still fitted.

All of it follows from the log, whose secrets are open by then.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from content.games.first_edition.schema import effects as steps_of
from content.games.first_edition.schema.effects import Effect
from content.games.first_edition.schema.pack import Content
from protocol.common import events
from protocol.common.events import Player
from protocol.common.hindsight import Hindsight
from protocol.common.table import Table
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    CardId,
    FirstEditionTable,
    InvestigatorId,
    Phase,
)
from protocol.games.first_edition.words import TraumaKind
from protocol.values import evolve, frozen
from server.games.first_edition.rules import mythos, objective, requirements, trauma
from server.games.first_edition.rules.play import Play, Source
from server.kernel.hindsight import Step, at_rest

Answers = Mapping[str, str]
"""One option for each question."""
SEALED: Final = "sealed"
HAND: Final = "hand"
STRIKE: Final = "strike"
ANSWERS: Final = "answers"


def look_back(
    content: Content, players: tuple[Player, ...], steps: Sequence[Step]
) -> Iterator[Hindsight]:
    """Yield what is known of a finished game afterwards."""
    played = [step for step in steps if isinstance(step.before.game, FirstEditionTable)]
    yield from secrets_of_setup(content, played)
    yield from hands(played)
    yield from lapsed_plans(played)
    yield from missed_strikes(content, players, played)
    yield from fitting_answers(content, players, played)


def game_of(table: Table) -> FirstEditionTable:
    """Return the table of the game."""
    assert isinstance(table.game, FirstEditionTable)
    return table.game


# What was sealed in setup ----------------------------------------------------------------------


def secrets_of_setup(content: Content, steps: Iterable[Step]) -> Iterator[Hindsight]:
    """
    Yield all answers, and what lay where from then on. K-SECRET-5 to K-SECRET-8.

    So are the choice of the investigators (W-SECRET-6) and hidden actions (W-SECRET-3) told.
    """
    for step in steps:
        event, at, table = step.record.event, step.record.sequence, game_of(step.after)
        match event:
            case fe.AnswersGiven() | fe.VoteCounted():
                by_keeper = isinstance(event, fe.AnswersGiven)
                for question, option in event.answers.value.items():
                    asked, given = map(Text, map(content.story.subject_of, (question, option)))
                    subject = "hindsight/answer" if by_keeper else "hindsight/vote"
                    yield Hindsight(at, SEALED, Text(subject, (asked, given)))
            case fe.EventFaced() if table.phase is Phase.SETUP:
                for room, laid in table.laid.items():
                    cards = _listed([one.card.value for one in laid])
                    yield Hindsight(at, SEALED, Text("hindsight/pile", (room, cards)))
                for room, lock in table.locks.items():
                    yield Hindsight(at, SEALED, Text("hindsight/lock", (room, lock.card.value)))
                if table.hidden_actions:
                    taken = _listed([one.value.card for one in table.hidden_actions])
                    yield Hindsight(at, SEALED, Text("hindsight/hidden_actions", (taken,)))
                coming = _listed([one.value for one in table.events])
                yield Hindsight(at, SEALED, Text("hindsight/events", (coming,)))


# The keeper's hands ----------------------------------------------------------------------------


def hands(steps: Iterable[Step]) -> Iterator[Hindsight]:
    """Yield both hands of the keeper whenever one of them has changed. K-SECRET-1, K-SECRET-2."""
    before: tuple[tuple[CardId, ...], ...] = ((), ())
    for step in steps:
        table = game_of(step.after)
        piles = (table.hand(MYTHOS_HAND), table.hand(TRAUMA_HAND))
        # By name: a hand is shuffled whenever a card is drawn.
        now = tuple(tuple(sorted(map(table.card_of, pile))) for pile in piles)
        if now != before:
            before = now
            text = Text("hindsight/hand", tuple(map(_listed, now)))
            yield Hindsight(step.record.sequence, HAND, text, lasts=True)


def _listed(cards: Sequence[CardId]) -> Text | CardId:
    """Return cards as one text. Parts are joined, since texts nest only a few levels deep."""
    match cards:
        case [] | ["nothing"]:
            return Text("hindsight/no_card")
        case [card]:
            return card
    subject, count = ("hindsight/cards", 2) if len(cards) < 8 else ("hindsight/eight_cards", 8)
    ends = [len(cards) * number // count for number in range(count + 1)]
    return Text(subject, tuple(_listed(cards[a:b]) for a, b in itertools.pairwise(ends)))


def lapsed_plans(steps: Sequence[Step]) -> Iterator[Hindsight]:
    """Yield the cards laid ready whose moment came and that could not be played. K-DECIDE-107."""
    for step, following in itertools.pairwise(steps):
        event, table = step.record.event, game_of(step.before)
        if not isinstance(event, fe.MomentsPassed) or table.ready is None:
            continue
        who = event.investigator
        for one, card, moment in table.ready.value:
            is_due = one == who and card and (who, moment) in table.moments
            # A card costs its threat first.
            played = (fe.ThreatChanged, fe.MythosPlayed, fe.MythosLaidDown)
            if is_due and not isinstance(following.record.event, played):
                yield Hindsight(step.record.sequence, STRIKE, Text("hindsight/lapsed", (card, who)))


# Strikes that were possible --------------------------------------------------------------------


@frozen
class Strike:
    """A card that could be played on an investigator."""

    card: CardId
    on: InvestigatorId
    kind: TraumaKind | None = None
    """The kind of a trauma card; None for a mythos card."""


_STEP_RULES = frozenset({"K-TURN-2", "K-DECIDE-16"})
"""Rules of the question for the next step, without the keeper and with the keeper beside it."""
_TRAUMA_RULE = "K-TRAUMA-3"


def missed_strikes(
    content: Content, players: tuple[Player, ...], steps: Sequence[Step]
) -> Iterator[Hindsight]:
    """
    Yield the cards that the keeper could have played and did not. K-DECIDE-14 to K-DECIDE-17.

    A card that stays possible over several questions of a turn is told once, at the first of them.
    At a table by calendar it had to be laid ready, for a moment that came. K-DECIDE-107.
    """
    possible: dict[Strike, int] = {}
    for step in steps:
        event = step.record.event
        match event:
            case events.Asked() if event.rule in _STEP_RULES or event.rule == _TRAUMA_RULE:
                play = at_rest(step.before, content, players)
                now = tuple(_strikes(play, event.rule))
                yield from _told(possible, [one for one in possible if one not in now])
                for one in now:
                    possible.setdefault(one, step.record.sequence)
            case fe.MythosPlayed() | fe.MythosLaidDown():
                # No other mythos card could follow in the turn. K-MYTHOS-3.
                _drop(possible, [one for one in possible if one.kind is None])
            case fe.TraumaPlayed():
                who, kind = event.investigator, event.kind
                _drop(possible, [one for one in possible if (one.on, one.kind) == (who, kind)])
            case fe.TurnEnded() | fe.KeeperStepBegan() | fe.RoundBegan() | fe.GameEnded():
                yield from _told(possible, [*possible])
            case events.TakenBack():
                possible.clear()


def _strikes(play: Play, rule: str) -> Iterator[Strike]:
    who = play.table.active
    if rule in _STEP_RULES and who is not None and mythos.is_moment(play):
        options, _ = mythos.options(play, who)
        yield from (Strike(play.table.card_of(one.value), who) for one in options)
    for one in trauma.options(play):
        on, handle = one.value
        yield Strike(play.table.card_of(handle), on.investigator, on.kind)


def _told(possible: dict[Strike, int], missed: Iterable[Strike]) -> Iterator[Hindsight]:
    for one in missed:
        subject = "hindsight/mythos" if one.kind is None else "hindsight/trauma"
        yield Hindsight(possible.pop(one), STRIKE, Text(subject, (one.card, one.on)))


def _drop(possible: dict[Strike, int], played: Iterable[Strike]) -> None:
    for one in played:
        del possible[one]


# The answers that still fitted -----------------------------------------------------------------


def fitting_answers(
    content: Content, players: tuple[Player, ...], steps: Sequence[Step]
) -> Iterator[Hindsight]:
    """
    Yield how many sets of answers fit what lies open, and how many objectives, at each change.

    A set fits as long as everybody would have seen the same with it: cards and locks that were
    turned up, clues and events as they were read and resolved, and that no side had won yet. What
    lies open from the start is the same for all of them (K-DECIDE-101).
    """
    whole = content.story.answer_sets()
    left, told = list(whole), 0
    for step in steps:
        if not isinstance(step.record.event, _FACTS):
            continue
        left = [answers for answers in left if _fits(content, players, step, answers)]
        if len(left) != told:
            told = len(left)
            goals = {content.story.objective_of(answers).id for answers in left}
            text = Text("hindsight/answers", (told, len(whole), len(goals)))
            yield Hindsight(step.record.sequence, ANSWERS, text, lasts=True)


_FACTS = (
    *(fe.RoundBegan, fe.CardTurnedUp, fe.LockShown, fe.ClueFound, fe.EventResolved),
    *(fe.ObjectiveRevealed, events.CheckpointReached),
)
"""Events after which less can fit. The rules check who has won before each checkpoint."""


def _fits(content: Content, players: tuple[Player, ...], step: Step, answers: Answers) -> bool:
    story, event = content.story, step.record.event
    match event:
        case fe.CardTurnedUp():
            laid = [(r.id, card) for r in story.rooms for card in story.cards_under(r.id, answers)]
            at = event.number - FirstEditionTable().next_laid
            return at < len(laid) and laid[at] == (event.room, event.card)
        case fe.LockShown():
            return story.lock_of(event.room, answers) == event.card
        case fe.ObjectiveRevealed():
            return story.objective_of(answers).id == event.objective
    play = at_rest(_as_answered(content, step.after, answers), content, players)
    match event:
        case fe.ClueFound() | fe.EventResolved():
            card = event.clue if isinstance(event, fe.ClueFound) else event.card
            as_it_was = at_rest(step.after, content, players)
            effect = _effects_of(content)[card]
            source = Source(card)
            return _seen(play, effect, source) == _seen(as_it_was, effect, source)
    return not _is_won(play)


def _as_answered(content: Content, table: Table, answers: Answers) -> Table:
    """Return the table on which both sides have given other answers."""
    goal = content.story.objective_of(answers).id
    # Rules read the answers of both together.
    game = evolve(game_of(table), answers=hidden(answers), vote=None, objective=hidden(goal))
    return Table(table.room, game, table.checkpoints)


def _effects_of(content: Content) -> Mapping[str, Effect]:
    clues = {clue.id: clue.effect for clue in content.story.clues}
    return {**clues, **{event.id: event.effect for event in content.story.events}}


def _seen(play: Play, effect: Effect, source: Source) -> tuple[str, ...]:
    """Return the steps that an effect takes now, as a reader would tell them apart."""
    found: list[str] = []
    for step in effect:
        if isinstance(step, steps_of.When):
            is_so = requirements.holds(play, step.holds, source)
            found += _seen(play, step.then if is_so else step.otherwise, source)
        else:
            found.append(repr(step))
    return tuple(found)


def _is_won(play: Play) -> bool:
    """Return whether a side would have won with these answers, where the game went on."""
    table: FirstEditionTable = play.table
    if table.phase in {Phase.SETUP, Phase.OVER} or table.ending is not None:
        return False
    goal = objective.secret(play)
    conditions = (goal.investigators_win, goal.keeper_wins)
    return any(requirements.holds(play, one, Source(goal.id)) for one in conditions)
