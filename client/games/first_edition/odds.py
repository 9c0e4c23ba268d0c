"""The odds of a test before its die is rolled. Rules K-TEST-1, K-TEST-2 and K-TEST-4."""

from collections.abc import Sequence

from client.locale.speaker import Speaker
from client.widgets.scene import Scene
from protocol.games.first_edition.table import FirstEditionTable, FixedTest, OpenTest
from protocol.games.first_edition.words import Attribute, TestKind

SIDES = 10


def percent(value: int) -> int:
    """Return the chance, in percent, of a roll that is at most `value`."""
    return 100 * min(SIDES, max(0, value)) // SIDES


def kinds_of_test(speaker: Speaker, kinds: Sequence[TestKind]) -> str:
    """Return the kinds of test that count, as the end of a sentence; empty if all count."""
    named = ", ".join(speaker.say(f"test.kind.{kind.value}") for kind in kinds)
    return speaker.say("test.kinds", named) if kinds else ""


def fixed_test(speaker: Speaker, fixed: FixedTest) -> str:
    """Return a sentence about the next test, which no die decides. K-DECIDE-33."""
    key = "plain.will_pass" if fixed.is_passed else "plain.will_fail"
    return speaker.say(key, kinds_of_test(speaker, fixed.kinds))


def open_test(game: FirstEditionTable | None) -> OpenTest | None:
    """Return the test whose die is not rolled yet; None if no test waits for its roll."""
    test = game.test if game is not None else None
    return test if test is not None and test.roll is None else None


def with_point(game: FirstEditionTable, test: OpenTest) -> int | None:
    """Return the value of a test with a skill point; None if no point can be spent on it."""
    who = game.investigators.get(test.investigator)
    if who is None or test.has_point or not who.skill_points or test.attribute is Attribute.LUCK:
        return None
    return test.value + who.attributes.get(Attribute.LUCK, 0)


def odds(scene: Scene) -> tuple[str, ...]:
    """Return the stakes of the open test in words; empty if no test waits for its roll."""
    game, say = scene.table.game, scene.speaker.say
    test = open_test(game) if isinstance(game, FirstEditionTable) else None
    if test is None or not isinstance(game, FirstEditionTable):
        return ()
    attribute = say(f"attribute.{test.attribute.value}")
    lines = [say("test.odds", attribute, test.value, percent(test.value))]
    more = with_point(game, test)
    if more is not None:
        lines.append(say("test.odds_with_point", more, percent(more)))
    return tuple(lines)


def stakes(scene: Scene) -> str:
    """Return the chances of the open test in a short line; empty if no test waits for its roll."""
    game, say = scene.table.game, scene.speaker.say
    test = open_test(game) if isinstance(game, FirstEditionTable) else None
    if test is None or not isinstance(game, FirstEditionTable):
        return ""
    more, chance = with_point(game, test), percent(test.value)
    if more is None:
        return say("test.stakes", chance)
    return say("test.stakes_with_point", chance, percent(more))
