"""Attribute tests: one ten-sided die, to roll at most the attribute. Section 8."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from content.games.first_edition.schema.cards import Doing, Modifier, Trigger
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    CurseUsed,
    TestDeclared,
    TestEnded,
    TestPointSpent,
    TestRolled,
)
from protocol.games.first_edition.table import Ally, CharacterId, Investigator
from protocol.games.first_edition.words import Attribute, TestKind
from server.games.first_edition.rules import (
    mythos,
    requirements,
    rerolls,
    story_decks,
    trauma,
)
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option

SIDES = 10
"""Sides of the die. K-TEST-1."""
STUNNED = -2
"""Added to all attributes of a stunned investigator, once. K-STUN-3, K-STUN-4."""
CURSE_WINDOW = "kind/curse"
"""Kind of the timed windows in which a test of an ally can be lost. W-DECIDE-24."""
IN_DARKNESS = -2
"""Added to all attributes in combat in darkness. K-DARK-2."""


async def attribute_test(
    play: Play,
    who: CharacterId,
    attribute: Attribute,
    *,
    kind: TestKind,
    about: Text,
    modifier: int = 0,
    also: TestKind | None = None,
    is_shared: bool = False,
) -> bool:
    """
    Have a character take an attribute test; return whether it is passed. K-TEST-1 to K-TEST-10.

    An ally has no skill points, and a curse makes it fail without a roll. W-DECIDE-22, W-DECIDE-24.

    Everybody sees the roll. K-DECIDE-99.

    Whoever is killed before the roll, by a trauma card on earlier harm, does not pass. No roll
    passes or fails by itself; where a card says so, there is no roll and no skill point
    (K-DECIDE-33).

    Args:
        play: the game.
        who: the investigator or the ally.
        attribute: the attribute.
        kind: what the test is for; abilities and darkness may change some kinds only.
        about: what the test is for, with its stakes, in words that everybody may read.
        modifier: what the cause of the test adds to the attribute. K-TEST-3.
        also: a second kind of the same test: that of an attack spell is in combat, too.
        is_shared: True if others roll for the same cause before anything follows (K-DECIDE-27); the
            caller then turns up the cards that wait for a failed test.

    Returns:
        True if the test is passed; False without a roll if a trauma card has just killed the
        character.
    """
    await trauma.settle(play)
    if not play.table.is_here(who):
        # A trauma card killed the investigator.
        return False
    value = worth(play, who, attribute, kind, also) + modifier
    play.emit(TestDeclared(who, attribute, kind, value, about))
    fixed = play.table.character(who).fixed_test
    if fixed is not None and fixed.fits((kind, also)):
        is_passed = fixed.is_passed
    elif await _is_lost_by_curse(play, who, about):
        is_passed = False
    else:
        is_passed = await _is_rolled(play, who, kind, about)
    play.emit(TestEnded(who, is_passed))
    if not is_passed and not is_shared:
        await mythos.triggered(play, who, Trigger.TEST_FAILED)
    return is_passed


async def _is_lost_by_curse(play: Play, who: CharacterId, about: Text) -> bool:
    """
    Ask whether the keeper discards a curse token of an ally, so that it fails. W-DECIDE-24.

    Asked before each test of a cursed ally, which everybody sees: the token lies open.
    """
    test, ally = play.table.test, play.table.allies.get(who)
    if ally is None or not ally.curses or test is None:
        return False
    told = (who, f"attribute/{test.attribute.value}", test.value)
    uses = await trauma.ask_keeper(
        play,
        (
            Option(False, Text("choice/keep_curse"), (), "rest", ends=True),
            Option(True, Text("choice/ally_fails", (who,)), (), "use"),
        ),
        rule="W-DECIDE-24",
        about=about,
        prompt=Text("ask/ally_curse", told),
        kind=CURSE_WINDOW,
    )
    if uses:
        play.emit(CurseUsed(who))
    return uses


async def _is_rolled(play: Play, who: CharacterId, kind: TestKind, about: Text) -> bool:
    """
    Roll, with a skill point if the investigator wants; return whether the value is reached.

    A point that was spent counts for a second roll, too (W-CURSE-7). Before one that a curse
    brings, it can be spent still (W-CURSE-8).
    """
    await _offer_skill_point(play, who, about)
    roll = _roll(play, who)
    spoiler = await rerolls.forced(play, kind, roll)
    if isinstance(spoiler, CurseUsed):
        await _offer_skill_point(play, who, about)
    if spoiler is not None:
        roll = _roll(play, who)
    test = play.table.test
    assert test is not None
    return roll <= test.value


def _roll(play: Play, who: CharacterId) -> int:
    """Roll the die of a test, from 1 to 10. K-TEST-1."""
    (face,) = play.roll("test", 1, sides=SIDES)
    play.emit(TestRolled(who, face + 1))
    return face + 1


async def _offer_skill_point(play: Play, who: CharacterId, about: Text) -> None:
    """Ask whether a skill point adds luck, before a roll; once in a test. K-TEST-4 to K-TEST-9."""
    test, has = play.table.test, play.table.character(who)
    assert test is not None
    if test.attribute is Attribute.LUCK or test.has_point or not has.skill_points:
        return
    luck = has.attributes[Attribute.LUCK]
    options = [
        Option(False, Text("choice/roll", (test.value,)), group="roll"),
        Option(True, Text("choice/spend_skill_point", (test.value + luck,)), group="use"),
    ]
    prompt = Text("ask/test", (who, f"attribute/{test.attribute.value}", test.value))
    if await play.choose(play.seat_of(who), options, rule="K-TEST-4", about=about, prompt=prompt):
        play.emit(TestPointSpent(who))


def worth(
    play: Play,
    who: CharacterId,
    attribute: Attribute,
    kind: TestKind,
    also: TestKind | None = None,
) -> int:
    """
    Return the attribute of a character in a test, with all that adds up on it. K-TEST-10.

    Stun takes 2 from every test (K-STUN-3), darkness 2 more from tests in combat (K-DARK-2,
    K-DARK-3), loss of sight what its card says (K-DECIDE-108).

    K-STUN-4.
    """
    has, kinds = play.table.character(who), {kind, also}
    total = has.attributes[attribute]
    total += sum(
        one.amount
        for one in modifiers(play, has)
        if one.attribute in {None, attribute} and (not one.tests or not kinds.isdisjoint(one.tests))
    )
    if has.stun:
        total += STUNNED
    if kind is TestKind.COMBAT and requirements.is_in_dark(play, has):
        total += IN_DARKNESS
    return total + _loss_of_sight(play, has, kinds)


def _loss_of_sight(
    play: Play, has: Investigator | Ally, kinds: AbstractSet[TestKind | None]
) -> int:
    """Return the penalties of trauma cards that take the sight. K-BLIND-1, K-DECIDE-108."""
    held = [play.content.pack.traumas[card] for card in (has.injury, has.insanity) if card]
    return sum(
        card.penalty
        for card in held
        if (not card.penalty_tests or not kinds.isdisjoint(card.penalty_tests))
        and (card.ignores_lantern or not has.has_lantern)
    )


def forbids(play: Play, who: CharacterId, doing: Doing) -> bool:
    """Return whether a card of a character forbids something. K-CARD-5, K-CARD-8, K-CARD-14."""
    return any(doing in one.forbids for one in modifiers(play, play.table.character(who)))


def modifiers(play: Play, has: Investigator | Ally) -> Iterator[Modifier]:
    """Yield the constant effects of a character's traits, items and trauma cards."""
    pack = play.content.pack
    for trait in has.traits:
        yield from pack.traits[trait].modifiers
    for item in has.used_items:
        yield from pack.items[item.card].modifiers
    for card in (has.injury, has.insanity):
        if card is not None:
            yield from pack.traumas[card].modifiers
    for story_card in story_decks.in_force(play, has.character_id):
        yield from story_card.modifiers
