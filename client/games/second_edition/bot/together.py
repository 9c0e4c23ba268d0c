"""
Cooperation of bots: the board at the beginning of a round, and the uses of cards.

Both are read from the records that the bot's seat was sent. The board is read from public events
only, so all bots compute the same plan from it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import attrs

from client.bots.weighing import MEMORY
from client.model.tables import TableView
from protocol.common import events
from protocol.common.asks import Choice, Question
from protocol.event import Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    Investigator,
    Phase,
    Possession,
    SecondEditionTable,
    Skill,
    Token,
)

_ARMED = 3.0
"""Extra points of a weapon for an investigator without another weapon."""
_HELPS = ("choice/reroll", "choice/convert")
"""Subjects of choices that use a card in a test."""
_ATTACK = "choice/attack_with"
_LACKS = ("refusal/needs_item", "refusal/other_has_item")
"""Reasons for refusing an option that needs an item, which is their first parameter."""


# The round ---------------------------------------------------------------------------------


@attrs.frozen
class RoundStart:
    """The board at the beginning of the round, reconstructed from the latest records."""

    spaces: Mapping[str, str]
    """The space of each investigator who was on the board."""
    tokens: tuple[Token, ...]
    """The tokens, oldest first, including those removed since."""

    @classmethod
    def from_log(cls, records: Iterable[Record], game: SecondEditionTable) -> "RoundStart":
        """
        Return the state of the board when the current round began.

        For a position that the records do not give, the present position is used.
        """
        spaces: dict[str, str | None] = {}
        placed: dict[str, Token] = {}
        before: tuple[dict[str, str | None], dict[str, Token]] = ({}, {})
        moved, changed = set[str](), set[str]()
        for record in records:
            event = record.event
            if isinstance(event, se.PhaseBegan) and event.phase is Phase.INVESTIGATOR:
                before = (dict(spaces), dict(placed))
                moved, changed = set(), set()
            elif isinstance(event, se.InvestigatorMoved):
                spaces[event.investigator] = event.space
                moved.add(event.investigator)
            elif isinstance(event, se.TokenPlaced):
                # A token that is placed again moves to the end of the order.
                placed.pop(event.token.token_id, None)
                placed[event.token.token_id] = event.token
                changed.add(event.token.token_id)
            elif isinstance(event, se.TokenRemoved):
                placed.pop(event.token, None)
                changed.add(event.token)
        then, lay = before
        people = game.investigators.values()
        standing = {who.investigator_id: who.space for who in people if not who.is_eliminated}
        found = {who: then.get(who, at) if who in moved else at for who, at in standing.items()}
        older = [t for t in game.tokens.values() if t.token_id not in {*lay, *changed}]
        return cls(
            {who: space for who, space in found.items() if space is not None},
            (*older, *lay.values()),
        )


# Cards -------------------------------------------------------------------------------------


@attrs.frozen
class Uses:
    """Uses of cards that a bot has observed in the records sent to its seat."""

    weapons: Mapping[str, Skill]
    """The skill that an attack with each weapon tests; Strength until an attack was seen."""
    skills: Mapping[str, frozenset[Skill]]
    """The skills in whose tests each card was offered or used, or which its action tests."""
    needed: Mapping[str, frozenset[str]]
    """The options of the story that need each item, by the subjects of their words."""
    handed_over: frozenset[str]
    """
    Possessions that were given before. Bots do not give them again: two bots that observed
    different uses of a card could otherwise hand it back and forth.
    """

    @classmethod
    def from_log(cls, view: TableView, game: SecondEditionTable) -> "Uses":
        """Return the uses of cards that the viewer's latest records show."""
        reader = _Reader(view.seat, _faces(game))
        for record in view.records[-MEMORY:]:
            reader.read(record)
        return cls(
            reader.weapons,
            {card: frozenset(skills) for card, skills in reader.skills.items()},
            {item: frozenset(subjects) for item, subjects in reader.needed.items()},
            frozenset(reader.handed_over),
        )

    def value(self, possession: Possession, who: Investigator) -> float:
        """Return the points of a card for an investigator who has it, or would have it."""
        card = possession.face
        values = [float(who.skills.get(skill, 0)) for skill in self.skills.get(card, ())]
        if card in self.weapons:
            others = (one for one in who.possessions if one != possession)
            is_armed = any(one.face in self.weapons for one in others)
            strength = who.skills.get(self.weapons[card], 0)
            values.append(strength + (0.0 if is_armed else _ARMED))
        return max(values, default=0.0)


def _faces(game: SecondEditionTable) -> Mapping[str, str]:
    """Return the visible side of every possession on the table, by its id."""
    held = [one for who in game.investigators.values() for one in who.possessions]
    lying = [one for here in game.lying.values() for one in here]
    return {one.possession_id: one.face for one in (*held, *lying)}


@attrs.define
class _Reader:
    """Collects the uses of cards from records, which are read in order."""

    seat: int | None
    faces: Mapping[str, str]
    weapons: dict[str, Skill] = attrs.field(factory=dict)
    skills: defaultdict[str, set[Skill]] = attrs.field(factory=lambda: defaultdict(set))
    needed: defaultdict[str, set[str]] = attrs.field(factory=lambda: defaultdict(set))
    handed_over: set[str] = attrs.field(factory=set)
    _asked: dict[int, Question] = attrs.field(factory=dict)
    _test: Skill | None = None
    """The skill of the test that is open."""
    _used: tuple[str, str] | None = None
    """
    Investigator and card of the last use outside a test. The next test of this investigator in the
    same action belongs to the card.
    """
    _attack: str | None = None
    """The weapon of the viewer's attack that is under way."""

    def read(self, record: Record) -> None:
        event = record.event
        if isinstance(event, se.TestDeclared):
            self._test = event.skill
            if self._attack is not None:
                self.weapons[self._attack] = event.skill
            elif self._used is not None and self._used[0] == event.investigator:
                self.skills[self._used[1]].add(event.skill)
            self._attack = self._used = None
        elif isinstance(event, se.TestFinished):
            self._test = None
        elif isinstance(event, se.PowerUsed):
            card = self.faces.get(event.source, event.source)
            if self._test is None:
                self._used = (event.investigator, card)
            else:
                self.skills[card].add(self._test)
        elif isinstance(event, se.PossessionGiven):
            self.handed_over.add(event.possession)
        elif isinstance(event, se.ActionSpent):
            self._used = None
            self._attack = self._attack if event.action == "attack" else None
        elif isinstance(event, se.OptionChosen | se.TurnBegan | se.PhaseBegan):
            self._test = self._used = self._attack = None
        elif isinstance(event, events.Asked):
            mine = event.questions.get(self.seat) if self.seat is not None else None
            if mine is not None and mine.is_open:
                self._asked[event.ask_id] = mine.value
                self._read_question(mine.value)
        elif isinstance(event, events.Answered) and event.picks.is_open:
            question = self._asked.get(event.ask_id)
            for choice in () if question is None else question.choices:
                if choice.choice_id in event.picks.value and choice.text.subject == _ATTACK:
                    self._attack = _card_of(choice)

    def _read_question(self, question: Question) -> None:
        for choice in question.choices:
            card = _card_of(choice)
            if card is None:
                continue
            if choice.text.subject == _ATTACK:
                self.weapons.setdefault(card, Skill.STRENGTH)
            elif choice.text.subject in _HELPS and self._test is not None:
                self.skills[card].add(self._test)
        for refused in question.refused:
            reason = refused.reason
            if reason.subject in _LACKS and reason.params:
                self.needed[str(reason.params[0])].add(refused.text.subject)


def _card_of(choice: Choice) -> str | None:
    """Return the card of the possession that a choice is about; None if it is about none."""
    at = 1 if choice.text.subject == _ATTACK else 0
    if not any(point.kind == "possession" for point in choice.points):
        return None
    card = choice.text.params[at] if len(choice.text.params) > at else None
    return card if isinstance(card, str) else None
