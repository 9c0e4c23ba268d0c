"""Events of skill tests and of revealed chaos tokens. Sections 1.9, 2.7 and 2.8."""

from protocol.event import Sealed, event, secret
from protocol.games.cards.events.base import CardsEvent
from protocol.games.cards.events.tokens import (
    less,
    lying,
    marked,
    returned,
    shown_of,
    with_shown,
)
from protocol.games.cards.table import (
    CardId,
    CardsTable,
    InvestigatorId,
    OpenTest,
    PieceId,
    PutOff,
    Shown,
    StepId,
)
from protocol.games.cards.words import Skill
from protocol.values import evolve


@event("cards/test_began")
class TestBegan(CardsEvent):
    """ST.1: a skill test begins. C-BTEST-2."""

    tester: InvestigatorId
    skill: Skill
    difficulty: int
    source: CardId
    target: PieceId = ""
    deed: str = ""

    def fold(self, table: CardsTable) -> CardsTable:
        """Open it."""
        test = OpenTest(self.tester, self.skill, self.source, self.target, self.deed)
        return evolve(table, test=evolve(test, difficulty=self.difficulty))


@event("cards/test_step")
class TestStep(CardsEvent):
    """The test came to another step, with what is determined in it. C-TEST-1 to C-TEST-7."""

    step: int
    difficulty: int
    value: int | None = None
    has_succeeded: bool | None = None

    def fold(self, table: CardsTable) -> CardsTable:
        """Note it."""
        assert table.test is not None
        test = evolve(
            table.test,
            step=self.step,
            difficulty=self.difficulty,
            value=self.value,
            has_succeeded=self.has_succeeded,
        )
        return evolve(table, test=test)


@event("cards/tokens_revealed")
class TokensRevealed(CardsEvent):
    """Chaos tokens were revealed at the same time, open to all. C-BTEST-7, C-TOK-12."""

    tokens: tuple[str, ...]
    beside: bool = False
    """True if an effect revealed them, and not the test. C-BBAG-13."""
    piece: PieceId = ""
    """The card on which they were sealed; empty if they come from the bag. C-TOK-5."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Take them from where they were."""
        if self.piece:
            left = less(table.cards[self.piece].chaos, self.tokens)
            table = table.with_card(self.piece, chaos=left)
        else:
            table = evolve(table, bag=less(table.bag, self.tokens))
        fresh = tuple(Shown(token) for token in self.tokens)
        return with_shown(table, (*shown_of(table, beside=self.beside), *fresh), beside=self.beside)


@event("cards/token_ignored")
class TokenIgnored(CardsEvent):
    """A revealed token is not resolved; it stays out of the bag for now. C-BBAG-14."""

    at: int
    """Position among the revealed tokens."""
    beside: bool = False

    def fold(self, table: CardsTable) -> CardsTable:
        """Mark it."""
        return marked(table, self.at, beside=self.beside, is_ignored=True)


@event("cards/token_cancelled")
class TokenCancelled(CardsEvent):
    """A revealed token was cancelled, and went back to the bag at once. C-TOK-14."""

    at: int
    beside: bool = False

    def fold(self, table: CardsTable) -> CardsTable:
        """Put it back."""
        token = shown_of(table, beside=self.beside)[self.at].token
        table = evolve(table, bag=tuple(sorted((*table.bag, token))))
        return marked(table, self.at, beside=self.beside, is_cancelled=True)


@event("cards/tokens_returned")
class TokensReturned(CardsEvent):
    """The tokens that an effect revealed went back to the bag. C-BBAG-14."""

    first: int = 0
    """Position of the first of them; those before belong to an effect that goes on."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Put them back."""
        back = lying(table.revealed[self.first :])
        bag = tuple(sorted((*table.bag, *back)))
        return evolve(table, bag=bag, revealed=table.revealed[: self.first])


@event("cards/test_ended")
class TestEnded(CardsEvent):
    """ST.8: the test is over, and its tokens went where they belong. C-BTEST-14, C-BBAG-7."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Close it."""
        assert table.test is not None
        tokens = lying(table.test.shown)
        bag, supply = returned(table.bag, table.supply, tokens)
        return evolve(table, bag=bag, supply=supply, test=None)


@event("cards/test_put_off")
class TestPutOff(CardsEvent):
    """A test waits until another one is over. C-DEFER-2."""

    step: StepId
    piece: PieceId
    you: InvestigatorId
    holder: InvestigatorId
    """The investigator with the card in hand, if a hidden one calls for the test. C-SECRET-2."""
    unseen: Sealed[StepId] = secret(to="holder")

    def fold(self, table: CardsTable) -> CardsTable:
        """Put it into the queue. C-DECIDE-9."""
        test = PutOff(self.step, self.piece, self.you, self.holder, self.unseen)
        return evolve(table, put_off=(*table.put_off, test))


@event("cards/test_taken_up")
class TestTakenUp(CardsEvent):
    """The first test that waited begins now."""

    def fold(self, table: CardsTable) -> CardsTable:
        """Take it out of the queue."""
        return evolve(table, put_off=table.put_off[1:])
