"""The odds of a test, and the curses on it. Rules K-TEST-1, K-TEST-2, K-TEST-4 and W-CURSE-3."""

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
    return test if test is not None and test.roll is None and not test.is_lost else None


def curses(scene: Scene) -> int:
    """
    Return the number of curses that the keeper may use on the test in question.

    On an investigator's roll while it is not applied (W-DECIDE-34), on an ally's test before it is
    rolled (W-DECIDE-24).
    """
    game, ask = scene.table.game, scene.table.room.ask
    test = game.test if isinstance(game, FirstEditionTable) else None
    if not isinstance(game, FirstEditionTable) or test is None or ask is None:
        return 0
    # After the roll, other questions of the same cause come when the test is over.
    is_it = ask.about == test.about and (test.roll is None or ask.rule.startswith("W-"))
    if not is_it or test.is_spoilt:
        return 0
    who = game.allies.get(test.investigator) or game.investigators.get(test.investigator)
    return 0 if who is None else who.curses


def with_point(game: FirstEditionTable, test: OpenTest) -> int | None:
    """Return the value of a test with a skill point; None if no point can be spent on it."""
    who = game.investigators.get(test.investigator)
    if who is None or test.has_point or not who.skill_points or test.attribute is Attribute.LUCK:
        return None
    return test.value + who.attributes.get(Attribute.LUCK, 0)


def odds(scene: Scene) -> tuple[str, ...]:
    """Return the stakes of the open test in words; empty if no test waits for its roll."""
    game, say, lines = scene.table.game, scene.speaker.say, list[str]()
    if not isinstance(game, FirstEditionTable) or game.test is None:
        return ()
    count, test = curses(scene), game.test
    if open_test(game) is not None:
        attribute = say(f"attribute.{test.attribute.value}")
        lines.append(say("test.odds", attribute, test.value, percent(test.value)))
        more = with_point(game, test)
        if more is not None:
            lines.append(say("test.odds_with_point", more, percent(more)))
    elif count and test.roll is not None:
        lines.append(say("test.rolled", test.roll, test.value))
    if count:
        is_ally = test.investigator in game.allies
        lines.append(say("test.curse_ally" if is_ally else "test.curse", count))
    return tuple(lines)


def stakes(scene: Scene) -> tuple[str, ...]:
    """Return the chances of the open test, and the curses on it, in short lines."""
    game, say, lines = scene.table.game, scene.speaker.say, list[str]()
    if not isinstance(game, FirstEditionTable) or game.test is None:
        return ()
    count, test = curses(scene), game.test
    if open_test(game) is not None:
        more, chance = with_point(game, test), percent(test.value)
        key, points = ("test.stakes", ()) if more is None else ("test.stakes_with_point", (more,))
        lines.append(say(key, chance, *map(percent, points)))
    elif count and test.roll is not None:
        lines.append(say("test.rolled", test.roll, test.value))
    if count:
        lines.append(say("test.curse_short", count))
    return tuple(lines)
