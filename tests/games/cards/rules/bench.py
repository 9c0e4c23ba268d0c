"""
Bench: a single game of the card game, whose tokens, draws and answers a test supplies.

It begins in the investigation phase of round 1, in the turn of the first investigator with 3
actions; everybody is at L1, which is revealed, with 5 resources, no cards and an empty encounter
deck. A test lays what it needs without the rules.
"""

from collections.abc import Callable, Sequence
from typing import Any

from content.games.cards.schema.pack import Content
from protocol.common import standing
from protocol.common.chance import Stream
from protocol.common.events import (
    Arranged,
    ChatSet,
    LookedAt,
    PassesLapsed,
    Player,
    StandingSet,
)
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.cards.events import (
    BagFilled,
    Exhausted,
    Joined,
    Laid,
    LocationLaid,
    Revealed,
    RoundBegan,
    StepCame,
    TokensRevealed,
    Walked,
)
from protocol.games.cards.table import (
    ENCOUNTER,
    Card,
    CardsTable,
    Investigator,
    Place,
    deck_of,
    hand_of,
)
from protocol.games.cards.words import INVESTIGATOR, Phase, Skill, Token, Zone
from protocol.values import evolve
from server.games.cards.rules import effects, rounds, skill_tests, turns
from server.games.cards.rules.plans import Plan
from server.games.cards.rules.play import Source
from server.kernel.asks import Option
from tests.games.cards.rules.worlds import ANNA, content_of
from tests.kit import bench

TURNS = 2
"""The step of the investigation phase in which turns are taken."""


def about(subject: str, code: str) -> Callable[[Option[Any]], bool]:
    """Return the answer that takes the option of a kind about a card."""
    return lambda option: option.text.subject == subject and named(option) == code


def named(option: Option[Any]) -> str:
    """Return the card that an option names, whatever it answers."""
    name = option.text.params[0] if option.text.params else ""
    return str(name.params[0]) if isinstance(name, Text) else str(name)


class Bench(bench.Bench):
    """Game on the bench: each investigator has a seat, from 0, unless `seats` says otherwise."""

    def __init__(
        self,
        content: Content | None = None,
        people: Sequence[str] = (ANNA,),
        *,
        seats: Sequence[int] = (),
        is_begun: bool = True,
    ) -> None:
        content = content or content_of()
        at = dict(zip(people, seats or range(len(people)), strict=True))
        players = tuple(
            Player(seat, INVESTIGATOR, tuple(who for who in people if at[who] == seat))
            for seat in sorted(set(at.values()))
        )
        super().__init__(content, players, CardsTable())
        self.tokens: list[str] = []
        self._left: list[str] = []
        if is_begun:
            self._begin(content, at)

    def _begin(self, content: Content, at: dict[str, int]) -> None:
        scenario = content.scenario
        for who, seat in at.items():
            self.emit(Joined(who, seat, {}))
        level = next(iter(scenario.bags))
        self.emit(BagFilled(level, tuple(sorted(scenario.bags[level]))))
        self.emit(Laid(scenario.acts[0], Place(Zone.ACT)))
        self.emit(Laid(scenario.agendas[0], Place(Zone.AGENDA)))
        self.emit(Laid(scenario.reference[level], Place(Zone.SCENARIO)))
        for code in scenario.locations:
            self.emit(LocationLaid(code, hidden(content.pack.locations[code].face.id)))
        self.emit(Walked(tuple(at), self.piece(scenario.start)))
        self.reveal(scenario.start)
        for who in at:
            self.tokens_on(self.own(who), resource=5)
            self.deck(who)
            self.hand(who)
        self.deck(ENCOUNTER)
        self.emit(RoundBegan(1))
        turns.reset(self.game)
        self.emit(StepCame(Phase.INVESTIGATION, TURNS))
        self.set_active(next(iter(at)))

    # Laying things down without the rules

    def set_active(self, who: str) -> None:
        """Have it be the turn of an investigator."""
        self.change(active=who)

    def change(self, **fields: Any) -> None:
        """Change fields of the table."""
        game = evolve(self.game_table, **fields)
        self.table = type(self.table)(self.table.room, game, self.table.checkpoints)

    def reveal(self, code: str) -> None:
        """Reveal a location without clues or windows."""
        card = self.card(code)
        assert card.hidden is not None
        self.emit(Revealed(card.piece, card.hidden.value, self.disclose(card.hidden)))

    def lay(self, code: str, zone: Zone, of: str = "", **fields: Any) -> str:
        """Lay a card down; return its piece. Cards in a play area are controlled there."""
        table, piece = self.game_table.new_piece()
        owner = fields.pop("owner", of if zone in (Zone.PLAY, Zone.DISCARD) else "")
        controller = fields.pop("controller", of if zone is Zone.PLAY else "")
        owner = "" if owner == ENCOUNTER else owner
        card = Card(piece, code, Place(zone, of), owner, controller, **fields)
        table = table.with_new_card(card)
        self.table = type(self.table)(self.table.room, table, self.table.checkpoints)
        return piece

    def engage(self, code: str, who: str, **fields: Any) -> str:
        """Lay an enemy down, engaged with an investigator; return its piece."""
        return self.lay(code, Zone.THREAT, who, engaged=(who,), **fields)

    def tokens_on(self, piece: str, **tokens: int) -> None:
        """Put tokens on a card, in place of those of the kinds."""
        card = self.game_table.cards[piece]
        left = {**card.tokens, **tokens}
        self.change(
            cards={
                **self.game_table.cards,
                piece: evolve(card, tokens={k: n for k, n in sorted(left.items()) if n}),
            }
        )

    def hand(self, who: str, *codes: str) -> None:
        """Give an investigator these cards in hand, and no others."""
        seat = self.game_table.investigators[who].seat
        self.shuffle(hand_of(who), codes, Stream.PLAY, (seat,))

    def deck(self, owner: str, *codes: str) -> None:
        """Lay a deck, the top first: of an investigator, or the encounter deck."""
        self.shuffle(owner if owner == ENCOUNTER else deck_of(owner), codes, Stream.PLAY)

    def walk(self, who: str, code: str) -> None:
        """Put an investigator at a location, which is revealed, if it is not."""
        if not self.card(code).face:
            self.reveal(code)
        self.emit(Walked((who,), self.piece(code)))

    def turn(self, code: str, *, is_exhausted: bool) -> None:
        """Exhaust or ready the only open card of an id."""
        self.emit(Exhausted((self.piece(code),), is_exhausted))

    def set(self, who: str, **fields: Any) -> None:
        """Change fields of an investigator."""
        table = self.game_table.with_investigator(who, **fields)
        self.table = type(self.table)(self.table.room, table, self.table.checkpoints)

    def pass_beforehand(self, seat: int, *passes: str) -> None:
        """Have a seat pass on kinds of window without being asked, as it says beforehand."""
        self._write(StandingSet(seat, hidden(passes)))

    def give_tokens(self, *tokens: str) -> None:
        """Supply the next chaos tokens; each must be in the bag when it is drawn."""
        self.tokens += tokens

    def bag(self, *tokens: str) -> None:
        """Fill the bag with these tokens."""
        self.change(bag=tuple(sorted(tokens)))

    # Reading

    @property
    def game_table(self) -> CardsTable:
        assert isinstance(self.table.game, CardsTable)
        return self.table.game

    def card(self, code: str) -> Card:
        """Return the only open card of this id, by either face."""
        found = [one for one in self.game_table.cards.values() if code in (one.code, one.face)]
        (only,) = found
        return only

    def piece(self, code: str) -> str:
        """Return the piece of the only open card of this id."""
        return self.card(code).piece

    def own(self, who: str) -> str:
        """Return the piece of an investigator card."""
        return self.game_table.investigators[who].card

    def who(self, who: str) -> Investigator:
        """Return an investigator."""
        return self.game_table.investigators[who]

    def count(self, of: str, token: Token) -> int:
        """Return the tokens on an investigator card, or on the only card of an id."""
        table = self.game_table
        if of in table.investigators:
            return table.count(of, token)
        return self.card(of).count(token)

    def in_hand(self, who: str) -> list[str]:
        """Return the cards in a hand, sorted."""
        table = self.game_table
        return sorted(table.card_of(handle) for handle in table.piles.get(hand_of(who), ()))

    def in_deck(self, owner: str) -> list[str]:
        """Return the cards of a deck, the top first."""
        table = self.game_table
        pile = owner if owner == ENCOUNTER else deck_of(owner)
        return [table.card_of(handle) for handle in table.piles.get(pile, ())]

    def discarded(self, owner: str) -> list[str]:
        """Return the cards of a discard pile, the topmost last."""
        return [card.code for card in self.game_table.lying(Zone.DISCARD, owner)]

    def at(self, who: str) -> str:
        """Return the location of an investigator, by its unrevealed face."""
        return self.game_table.cards[self.who(who).location].code

    def engaged_with(self, who: str) -> list[str]:
        """Return the enemies that are engaged with an investigator, sorted."""
        return sorted(card.code for card in self.game_table.cards.values() if who in card.engaged)

    def asks(self) -> list[int]:
        """Return the seats that the open question asks."""
        assert self.open is not None
        return sorted(self.open.prompts)

    def waits_for(self) -> list[int]:
        """Return the seats that the open question asks and that do not pass beforehand."""
        assert self.open is not None
        room, kind = self.table.room, self.open.kind
        return [seat for seat in self.asks() if not standing.passes(room, seat, kind)]

    def asked_in_words(self) -> Text:
        """Return the open question that the first seat is asked."""
        assert self.open is not None
        return next(iter(self.open.prompts.values())).prompt

    def choices(self, subject: str) -> list[str]:
        """Return what the options are about whose subjects begin so, in the open question."""
        assert self.open is not None
        return [
            named(option)
            for prompt in self.open.prompts.values()
            for option in prompt.options
            if option.text.subject.startswith(subject)
        ]

    # Running

    def act(self, *answers: Any) -> None:
        """Have the active investigator take one action, or end the turn; answer all questions."""
        self.run(rounds.act(self.game, self.game_table.active), *answers)

    def test(
        self,
        *answers: Any,
        who: str = ANNA,
        skill: Skill = Skill.COMBAT,
        difficulty: int = 2,
        **plan: Any,
    ) -> bool | None:
        """Have an investigator perform a plain test, and answer all questions."""
        source = Source(who, self.own(who), who)
        made = Plan(who, skill, lambda: difficulty, plan.pop("source", source), **plan)
        result: bool | None = self.run(skill_tests.perform(self.game, made), *answers)
        return result

    def resolve(self, code: str, *answers: Any, who: str = ANNA, ability: int = 0) -> None:
        """Resolve the effect of an ability of a card, as if an investigator had used it."""
        effect = self.game.content.faces[code].abilities[ability].effect
        lying = [one for one in self.game_table.cards.values() if one.shown == code]
        source = Source(code, lying[0].piece if lying else "", who)
        self.run(effects.resolve(self.game, effect, source), *answers)

    def step(self, phase: Phase, step: int, *answers: Any) -> None:
        """Carry out a step of a phase, or its end, and nothing after it."""
        self.emit(StepCame(phase, step))
        steps = rounds.PHASES[phase]
        only = steps[step](self.game) if step < len(steps) else rounds.step(self.game)
        self.run(only, *answers)

    def can_use(self, *answers: Any) -> list[str]:
        """Return the cards that the question of the turn offers to play or to use."""
        self.act(*answers, ...)
        assert self.open is not None
        return [
            named(option)
            for prompt in self.open.prompts.values()
            for option in prompt.options
            if option.text.subject.startswith(("choice/play", "choice/use"))
        ]

    # The sink

    def pick(self, purpose: str, bound: int, stream: Stream) -> int:
        """Take the supplied token, or the next supplied pick."""
        if purpose == "token" and self.tokens:
            if len(self._left) != bound:
                self._left = list(self.game_table.bag)
            at = self._left.index(self.tokens.pop(0))
            del self._left[at]
            self.give_picks(at)
        return super().pick(purpose, bound, stream)

    def emit(self, happened: Any) -> None:
        if isinstance(happened, TokensRevealed):
            self._left = []
        super().emit(happened)

    def look_at(self, pile: str, handles: Sequence[str], knowers: tuple[int, ...]) -> None:
        """Show cards of a pile."""
        lying = self.game_table.piles[pile]
        places = tuple(sorted(lying.index(handle) for handle in handles))
        cards = tuple(self.game_table.card_of(lying[at]) for at in places)
        self._write(LookedAt(pile, places, knowers, hidden(cards)))

    def arrange(self, pile: str, handles: Sequence[str], knowers: tuple[int, ...]) -> None:
        """Put cards of a pile into this order."""
        lying = self.game_table.piles[pile]
        places = tuple(sorted(lying.index(handle) for handle in handles))
        order = tuple(self.game_table.card_of(handle) for handle in handles)
        fresh = tuple(f"h{next(self._mint)}" for _ in order)
        self._write(Arranged(pile, places, fresh, knowers, hidden(order)))

    def set_chat(self, *, is_open: bool) -> None:
        """Log that the chat opens or closes."""
        if self.game_table.is_chat_open is not is_open:
            self._write(ChatSet(is_open))

    def lapse(self, name: str) -> None:
        """Log that passes lapse."""
        self._write(PassesLapsed(name))
