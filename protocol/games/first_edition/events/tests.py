"""Events of attacks and attribute tests."""

from protocol.common.text import Text
from protocol.event import event
from protocol.games.first_edition.events.base import FirstEditionEvent, Game
from protocol.games.first_edition.table import (
    TEST_FAILED,
    CardId,
    CharacterId,
    FixedTest,
    InvestigatorId,
    MonsterId,
    OpenTest,
)
from protocol.games.first_edition.words import Attribute, TestKind
from protocol.values import evolve


@event("fe/attacked")
class Attacked(FirstEditionEvent):
    """A character attacks a monster. K-COMBAT-1, K-COMBAT-2, W-ALLY-10."""

    investigator: CharacterId
    monster: MonsterId
    card: CardId
    """The weapon or spell; empty for an unarmed attack."""

    def fold(self, table: Game) -> Game:
        return table


@event("fe/monster_attacked")
class MonsterAttacked(FirstEditionEvent):
    """A monster attacks a character. K-MATTACK-1, W-DECIDE-26."""

    monster: MonsterId
    investigator: CharacterId

    def fold(self, table: Game) -> Game:
        return table


@event("fe/test_fixed")
class TestFixed(FirstEditionEvent):
    """The next test of a character, of some kinds, passes or fails by a card. K-DECIDE-33."""

    investigator: CharacterId
    is_passed: bool
    kinds: tuple[TestKind, ...]
    """Any if empty."""

    def fold(self, table: Game) -> Game:
        fixed = FixedTest(self.is_passed, self.kinds)
        return table.with_character(self.investigator, fixed_test=fixed)


@event("fe/test_declared")
class TestDeclared(FirstEditionEvent):
    """A character takes an attribute test. K-TEST-1 to K-TEST-3, W-ALLY-11."""

    investigator: CharacterId
    attribute: Attribute
    kind: TestKind
    value: int
    """The attribute with all modifiers."""
    about: Text
    """What the test is for, with its stakes if they are open."""

    def fold(self, table: Game) -> Game:
        test = OpenTest(self.investigator, self.attribute, self.kind, self.value, self.about)
        return evolve(table, test=test)


@event("fe/test_point_spent")
class TestPointSpent(FirstEditionEvent):
    """A skill point adds the luck of the investigator to the test. K-TEST-4."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        test, who = table.test, table.investigators[self.investigator]
        assert test is not None
        value = test.value + who.attributes[Attribute.LUCK]
        table = table.with_investigator(self.investigator, skill_points=who.skill_points - 1)
        return evolve(table, test=evolve(test, value=value, has_point=True))


@event("fe/test_rolled")
class TestRolled(FirstEditionEvent):
    """The die was rolled, or rolled again because the keeper wants it. K-TEST-1, K-VAR-4."""

    investigator: CharacterId
    roll: int
    """From 1 to 10."""

    def fold(self, table: Game) -> Game:
        assert table.test is not None
        return evolve(table, test=evolve(table.test, roll=self.roll))


@event("fe/test_ended")
class TestEnded(FirstEditionEvent):
    """The test is passed or failed, without a roll where a card fixed it. K-TEST-2, K-DECIDE-33."""

    investigator: CharacterId
    is_passed: bool

    def fold(self, table: Game) -> Game:
        """Let the last test stay to be seen."""
        test = table.test
        if test is not None and test.roll is None and not test.is_lost:
            table = table.with_character(self.investigator, fixed_test=None)
        if self.is_passed or self.investigator not in table.investigators:
            return table
        return table.with_moment(self.investigator, TEST_FAILED)


@event("fe/roll_forced")
class RollForced(FirstEditionEvent):
    """The keeper spent a skill point of the monsters. K-VAR-4, K-VAR-6, W-DECIDE-35."""

    def fold(self, table: Game) -> Game:
        # Paid for a special attack it spoils no roll: the next test is another one.
        test = None if table.test is None else evolve(table.test, is_spoilt=True)
        return evolve(table, keeper_skill_points=table.keeper_skill_points - 1, test=test)


@event("fe/curse_used")
class CurseUsed(FirstEditionEvent):
    """
    The keeper discarded a curse token on the test being made. W-CURSE-3, W-DECIDE-24.

    An investigator rolls again; an ally fails without a roll.
    """

    who: CharacterId

    def fold(self, table: Game) -> Game:
        test = table.test
        assert test is not None
        is_ally = self.who in table.allies
        table = table.with_character(self.who, curses=table.character(self.who).curses - 1)
        return evolve(table, test=evolve(test, is_spoilt=True, is_lost=is_ally))
