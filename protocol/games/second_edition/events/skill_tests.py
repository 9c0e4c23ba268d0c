"""Events of skill tests, from the skill to the result."""

from protocol.event import event
from protocol.games.second_edition.events.base import Game, SecondEditionEvent
from protocol.games.second_edition.table import Face, InvestigatorId, OpenTest, Skill
from protocol.values import evolve


@event("se/test_declared")
class TestDeclared(SecondEditionEvent):
    """A skill is tested. Rules TEST-1 to TEST-7."""

    __test__ = False  # not a test case, whatever its name suggests to a test runner

    investigator: InvestigatorId
    skill: Skill
    modifier: int
    difficulty: int | None
    pool: int

    def fold(self, table: Game) -> Game:
        test = OpenTest(self.investigator, self.skill, self.modifier, self.difficulty, self.pool)
        return evolve(table, test=test)


@event("se/opposition_rolled")
class OppositionRolled(SecondEditionEvent):
    """The keeper rolled against a test. The number of successes is the test's difficulty."""

    faces: tuple[Face, ...]
    """Faces of the keeper's dice, which nothing changes."""

    def fold(self, table: Game) -> Game:
        return table


@event("se/dice_shown")
class DiceShown(SecondEditionEvent):
    """The dice of the open skill test are shown, and again after each reroll. Rule DICE-1."""

    faces: tuple[Face, ...]
    rerolled: tuple[int, ...] = ()
    """
    Indexes of the dice that were rolled again. A converted die that is rolled again loses its Clue
    (DECIDE-109).
    """

    def fold(self, table: Game) -> Game:
        assert table.test is not None
        converted = tuple(at for at in table.test.converted if at not in self.rerolled)
        test = evolve(table.test, faces=self.faces, converted=converted)
        return evolve(table, test=test)


@event("se/dice_converted")
class DiceConverted(SecondEditionEvent):
    """Investigations among the dice of the open skill test became successes. Rule CLUE-4."""

    dice: tuple[int, ...]
    """Indexes of the converted dice."""

    def fold(self, table: Game) -> Game:
        assert table.test is not None
        converted = tuple(sorted({*table.test.converted, *self.dice}))
        return evolve(table, test=evolve(table.test, converted=converted))


@event("se/test_finished")
class TestFinished(SecondEditionEvent):
    """The open skill test has its result. Rules TEST-9 and TEST-11."""

    __test__ = False

    investigator: InvestigatorId
    successes: int
    is_passed: bool | None
    """True if the test is passed; None if the test has no difficulty."""

    def fold(self, table: Game) -> Game:
        return evolve(table, test=None)
