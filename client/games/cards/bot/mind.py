"""The knowledge of a bot that is asked: the table, the question, and what follows from both."""

import functools
from collections import deque
from collections.abc import Callable, Collection, Mapping

import attrs

from client.games.cards.bot import odds
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.common.events import Asked
from protocol.common.text import Text
from protocol.games.cards.events import TestBegan
from protocol.games.cards.table import Card, CardsTable, Investigator, PieceId, Place, hand_of
from protocol.games.cards.words import Token, Zone

SAFE_WAYS = frozenset(["way/fight", "way/evade", "way/end"])
"""Outcomes that provoke no attack of opportunity."""
FIGHTER = 4
"""With such a value in fights an investigator goes after enemies."""
WINDOWS = frozenset(["ask/window", "ask/window_before", "ask/window_token"])
"""Questions of windows, in which no action is chosen."""
POOR = 2
"""With such a value in investigations one looks for unseen places and leaves clues to others."""
MEMORY = 1000
"""The number of latest records that a bot reads."""
ATTACK = 1.5
"""Harm of an attack of which nothing is known."""


@attrs.define(eq=False, slots=False)
class Mind:
    """The table and the question as the bot of one seat knows them."""

    view: TableView
    table: CardsTable
    question: Question
    me: Investigator

    @classmethod
    def of(cls, view: TableView, question: Question) -> "Mind | None":
        """Return what a viewer knows; None before the game, and for a spectator."""
        game = view.table.game
        if not isinstance(game, CardsTable) or view.seat is None:
            return None
        people = [game.investigators[who] for who in game.order]
        mine = [one for one in people if one.seat == view.seat]
        asked = [one for one in mine if one.id in question.prompt.params]
        acting = [one for one in mine if one.id == game.active]
        me = next(iter((*asked, *acting, *mine)), None)
        return None if me is None else cls(view, game, question, me)

    # The question

    @staticmethod
    def numbers(choice: Choice) -> tuple[int, ...]:
        """Return the numbers in the words of a choice."""
        return tuple(one for one in choice.text.params if isinstance(one, int))

    def card(self, choice: Choice) -> Card | None:
        """Return the open card that a choice is about."""
        return self.table.cards.get(choice.points[0].piece) if choice.points else None

    def _said(self, subject: str) -> tuple[Choice, ...]:
        return tuple(one for one in self.question.choices if one.text.subject == subject)

    def _reasons(self, subject: str) -> tuple[Text, ...]:
        return tuple(one.reason for one in self.question.refused if one.reason.subject == subject)

    @property
    def is_poor(self) -> bool:
        """Whether resources are wanting for a card in hand."""
        return bool(self._reasons("refused/resources"))

    @property
    def is_rich(self) -> bool:
        """Whether there are more resources than cards to play for them."""
        return self.table.count(self.me.id, Token.RESOURCE) >= 6

    @functools.cached_property
    def aims(self) -> frozenset[str]:
        """The cards of which the act speaks, if it is no matter of clues alone."""
        return frozenset(
            one
            for reason in self._reasons("refused/objective")
            for one in reason.params
            if isinstance(one, str)
        )

    def is_about_act(self, code: str) -> bool:
        """Return whether a card is the act."""
        act = self.table.only(Zone.ACT)
        return act is not None and act.shown == code

    # Harm

    @property
    def left(self) -> int:
        """The damage or horror that is left to take."""
        numbers = [one for one in self.question.prompt.params if isinstance(one, int)]
        if self.question.prompt.subject == "ask/action" and len(numbers) == 3:
            return min(numbers[1:])
        hurt = max(self.table.count(self.me.id, one) for one in (Token.DAMAGE, Token.HORROR))
        return 7 - hurt

    @functools.cached_property
    def harms(self) -> Mapping[PieceId, float]:
        """Damage and horror of one attack of each ready enemy that holds the investigator."""
        told = self._said("choice/evade")
        if not told:
            return {card.piece: ATTACK for card in self.engaged if not card.is_exhausted}
        return {
            card.piece: float(sum(self.numbers(one)[2:]))
            for one in told
            if (card := self.card(one)) is not None and not card.is_exhausted
        }

    @property
    def harm(self) -> float:
        """Damage and horror of one attack of each of these enemies."""
        return sum(self.harms.values())

    @property
    def price(self) -> float:
        """Points that one damage or horror costs: the more, the less is left."""
        return 16.0 if self.left > 5 else 22.0 if self.left > 3 else 34.0

    @property
    def danger(self) -> float:
        """Points that an action costs while enemies strike at it."""
        return self.harm * self.price

    def provoked_by(self, way: Text) -> float:
        """Return the points that an action costs by what it does."""
        inner = [one for one in way.params if isinstance(one, Text)]
        if inner:
            return self.provoked_by(inner[0])
        return 0.0 if way.subject in SAFE_WAYS else self.danger

    # Tests

    def chance(self, value: int, against: int) -> float:
        """Return the chance of a test, with one icon that will be committed."""
        return odds.chance(self.table.bag, value + 1, against)

    @property
    def is_in_test_window(self) -> bool:
        """Whether the question is a window of a test before its token."""
        test = self.table.test
        asked = self.question.prompt.subject
        return test is not None and test.step <= 2 and asked in WINDOWS

    @property
    def odds_now(self) -> int:
        """The odds that the running test was last said to have, in percent; 0 if unknown."""
        for record in reversed(self.view.records):
            event = record.event
            if isinstance(event, TestBegan):
                break
            if isinstance(event, Asked):
                for question in event.questions.values():
                    prompt = question.value.prompt if question.is_open else None
                    if prompt is not None and prompt.subject == "ask/commit":
                        return [one for one in prompt.params if isinstance(one, int)][2]
        return 0

    # Enemies

    @functools.cached_property
    def engaged(self) -> tuple[Card, ...]:
        """The enemies that hold the investigator."""
        return tuple(card for card in self.table.cards.values() if self.me.id in card.engaged)

    @functools.cached_property
    def foes(self) -> tuple[tuple[PieceId, int, int], ...]:
        """The enemies that can be fought: piece, fight value, and what defeats it."""
        found = []
        for choice in self._said("choice/fight"):
            _, against, _, left = self.numbers(choice)
            found.append((choice.points[0].piece, against, left))
        return tuple(found)

    @functools.cached_property
    def evadable(self) -> Mapping[PieceId, int]:
        """The evade values of the enemies that can be evaded."""
        return {
            choice.points[0].piece: self.numbers(choice)[1] for choice in self._said("choice/evade")
        }

    def has_swarm(self, card: Card) -> bool:
        """Return whether swarm cards lie under an enemy."""
        place = Place(Zone.SWARM, card.piece)
        return any(one.at == place for one in self.table.cards.values())

    def awake_at(self, place: PieceId) -> list[Card]:
        """Return the ready enemies at a location, but for those of which the act speaks."""
        return [card for card in self.met_at(place) if card not in self.aimed]

    def met_at(self, place: PieceId) -> list[Card]:
        """Return all ready enemies at a location."""
        return [card for card in self.table.lying(Zone.AT, place) if not card.is_exhausted]

    def tired_at(self, place: PieceId) -> list[Card]:
        """Return the exhausted enemies that lie at a location."""
        return [card for card in self.table.lying(Zone.AT, place) if card.is_exhausted]

    # Places

    @property
    def hand(self) -> int:
        """The number of cards in the hand."""
        return len(self.table.piles.get(hand_of(self.me.id), ()))

    def clues_at(self, place: PieceId) -> int:
        """Return the clues on a location."""
        card = self.table.cards.get(place)
        return 0 if card is None else card.count(Token.CLUE)

    def is_goal(self, place: Card) -> bool:
        """Return whether a location is what the bot walks to."""
        return place.piece in self.goals

    @functools.cached_property
    def goals(self) -> Collection[PieceId]:
        """
        The locations to walk to: what the act speaks of, and otherwise where clues may be.

        Who fights well goes to those whom enemies hold. While nobody has clues in the last act,
        clues come first.
        """
        places = self.table.lying(Zone.MAP)
        unseen = [card.piece for card in places if not card.face]
        clues = unseen + [card.piece for card in places if card.count(Token.CLUE)]
        if unseen and self.intellect <= POOR and len(self.table.order) > 1:
            clues = unseen
        if self.combat >= FIGHTER:
            return self._held() or self._hunted or self._aimed_at or clues
        if clues and self.table.acts_left == 0 and not self.is_stocked:
            return clues
        return self._aimed_at or clues

    @functools.cached_property
    def is_stocked(self) -> bool:
        """Whether the group has a clue for each investigator, besides what the act takes."""
        need = [text.params[0] for text in self._reasons("refused/clues")]
        wanted = len(self.table.order) + sum(one for one in need if isinstance(one, int))
        return sum(self.table.count(who, Token.CLUE) for who in self.table.order) >= wanted

    @property
    def intellect(self) -> int:
        """The value with which the investigator would investigate here; 3 if unknown."""
        return max((self.numbers(one)[0] for one in self._said("choice/investigate")), default=3)

    @functools.cached_property
    def combat(self) -> int:
        """The value with which the investigator was last seen to fight; 0 if unknown."""
        for record in reversed(self.view.records[-MEMORY:]):
            event = record.event
            mine = event.questions.get(self.me.seat) if isinstance(event, Asked) else None
            if mine is None or not mine.is_open or self.me.id not in mine.value.prompt.params:
                continue
            if values := fight_values(mine.value):
                return max(values)
        return 0

    def _held(self) -> Collection[PieceId]:
        """Return the locations of the others whom ready enemies hold."""
        table = self.table
        return {
            table.investigators[card.at.of].location
            for card in table.cards.values()
            if card.at.zone is Zone.THREAT and card.engaged and not card.is_exhausted
        }

    @functools.cached_property
    def is_goal_here(self) -> bool:
        """Whether there is enough to do here: what the act wants, or clues within reach."""
        if self.clues_at(self.me.location):
            numbers = map(self.numbers, self._said("choice/investigate"))
            chances = [self.chance(value, against) for value, against, _ in numbers]
            if max(chances, default=0.0) > 0.4 and not self.aims:
                return True
        return self.me.location in self.goals

    @functools.cached_property
    def aimed(self) -> tuple[Card, ...]:
        """The cards in play of which the act speaks."""
        return tuple(card for card in self.table.in_play() if {card.shown, card.code} & self.aims)

    @property
    def _aimed_at(self) -> Collection[PieceId]:
        """The locations of which the act speaks; without any, those of its enemies."""
        return {card.piece for card in self.aimed if card.at.zone is Zone.MAP} or self._hunted

    @property
    def _hunted(self) -> Collection[PieceId]:
        """The locations of the enemies of which the act speaks."""
        enemies = [card for card in self.aimed if card.at.zone in (Zone.AT, Zone.THREAT)]
        return {self._place_of(card) for card in enemies}

    def _place_of(self, card: Card) -> PieceId:
        if card.at.zone is Zone.THREAT:
            return self.table.investigators[card.at.of].location
        return card.at.of

    def steps_to(self, is_goal: Callable[[Card], bool]) -> dict[PieceId, int]:
        """Return, for each way out of here, the steps from there to the nearest goal."""
        start = self.me.location
        found = {}
        for way in self.table.links.get(start, ()):
            steps = self.distance(way, is_goal, without=start)
            if steps is not None:
                found[way] = steps
        return found

    def distance(
        self, start: PieceId, is_goal: Callable[[Card], bool], without: PieceId = ""
    ) -> int | None:
        """Return the steps from a location to the nearest goal; None if no way leads to one."""
        seen, waiting = {start, without}, deque([(start, 0)])
        while waiting:
            at, steps = waiting.popleft()
            card = self.table.cards.get(at)
            if card is not None and is_goal(card):
                return steps
            for way in self.table.links.get(at, ()):
                if way not in seen:
                    seen.add(way)
                    waiting.append((way, steps + 1))
        return None


def fight_values(question: Question) -> list[int]:
    """Return the values with which a question offers to fight."""
    found = []
    for choice in question.choices:
        if choice.text.subject == "choice/fight":
            found.append(Mind.numbers(choice)[0])
        for way in choice.text.params:
            if isinstance(way, Text) and way.subject == "way/fight":
                found += [one for one in way.params[:1] if isinstance(one, int)]
    return found
