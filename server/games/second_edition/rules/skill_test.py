"""
Skill tests: a pool of dice, a roll, rerolls and conversions, a result.

Rules TEST-1 to TEST-16, DICE-1 to DICE-3 and CLUE-4. A secret difficulty is never passed to this
module, so that nothing in it can reveal the difficulty (SECRET-16).
"""

from collections.abc import Iterator, Sequence

from content.games.second_edition.schema.cards import Convert, ModifierKind
from protocol.common.asks import Point, RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    DiceConverted,
    DiceShown,
    TestDeclared,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Face, InvestigatorId, OpenTest, Skill
from protocol.values import frozen
from server.games.second_edition.rules import clues, costs, powers
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.dice import roll
from server.games.second_edition.rules.play import Play, Source
from server.games.second_edition.rules.stakes import Stakes
from server.kernel.asks import Option

_NONE_TOLD = Stakes()


@frozen
class _Conversion:
    """Conversion of investigations to successes, paid by Clues (CLUE-4) or by using a card."""

    dice: tuple[int, ...]
    by: powers.Help | None = None
    """Card that pays for the conversion; None if Clues pay."""


_Change = _Conversion | powers.Rerolling


async def make_test(
    play: Play,
    investigator: InvestigatorId,
    skill: Skill,
    *,
    modifier: int = 0,
    difficulty: int | None = None,
    about: Text | None = None,
    stakes: Stakes = _NONE_TOLD,
) -> int:
    """
    Test a skill of an investigator. Rules TEST-1 and TEST-2.

    Args:
        play: the game.
        investigator: the investigator who makes the test.
        skill: the skill tested.
        modifier: modifier declared with the test. Rule TEST-4.
        difficulty: the difficulty if it is public, else None. Rules TEST-10, SECRET-16.
        about: purpose of the test, shown to all during its questions.
        stakes: consequences, shown before the dice are rolled.

    Returns:
        The result: all successes. Rule TEST-9.
    """
    # One test may follow another with nobody asked in between.
    await play.pause()
    pool = dice_pool(play, investigator, skill, modifier)
    play.emit(TestDeclared(investigator, skill, modifier, difficulty, pool))
    if play.version == 1:
        # That version showed no stakes, and asked even where nothing was to be gained.
        stakes = _NONE_TOLD
    if stakes.text is not None:
        purpose = about or stakes.about
        told = Text("stakes/for", (purpose, stakes.text)) if purpose else stakes.text
        play.emit(Told(told))
    play.emit(DiceShown(roll(play, "test", pool)))
    # Changes that cannot matter are not offered, so the question is skipped when all is decided.
    enough = difficulty if stakes.is_all_or_nothing else stakes.enough
    useful = _Useful(enough, is_all_or_nothing=stakes.is_all_or_nothing)
    await _change_dice(play, investigator, _about(play, investigator, skill, about, stakes), useful)
    successes = _successes(_open(play))
    is_passed = None if difficulty is None else successes >= difficulty
    play.emit(TestFinished(investigator, successes, is_passed))
    return successes


def _about(
    play: Play, investigator: InvestigatorId, skill: Skill, about: Text | None, stakes: Stakes
) -> Text:
    """
    Return the purpose of a test, with its stakes if they are public.

    A test without words of its own is named by the effect being resolved.
    """
    about = about or stakes.about
    # Without words of its own a test is named by the effect around it.
    if about is None and play.chain and play.version > 1:
        about = Text("about/test_for", (investigator, named(skill), play.chain[-1]))
    about = about or Text("about/test", (investigator, named(skill)))
    return about if stakes.text is None else Text("about/stakes", (about, stakes.text))


def named(skill: Skill) -> str:
    """Return the catalog subject of a skill's name."""
    return f"skill/{skill.value}"


def dice_pool(play: Play, investigator: InvestigatorId, skill: Skill, modifier: int) -> int:
    """Return the number of dice: at least one. TEST-3 to TEST-6, DECIDE-110."""
    printed = play.table.investigators[investigator].skills[skill]
    return max(1, printed + modifier + powers.dice(play, investigator, skill))


def _open(play: Play) -> OpenTest:
    test = play.table.test
    assert test is not None
    return test


def _successes(test: OpenTest) -> int:
    """Count successes; an investigation counts only if converted. Rules TEST-9, DICE-3."""
    return test.faces.count(Face.SUCCESS) + len(test.converted)


# Reroll and convert ------------------------------------------------------------------------


@frozen
class _Useful:
    """Range in which further successes can change the outcome of a test."""

    enough: int | None
    is_all_or_nothing: bool

    def can_gain(self, has: int, most: int) -> bool:
        """Return True if more successes than `has`, up to `most`, can change the outcome."""
        if self.enough is None:
            return True
        return has < self.enough and (most >= self.enough or not self.is_all_or_nothing)


async def _change_dice(
    play: Play, investigator: InvestigatorId, about: Text, useful: _Useful
) -> None:
    """
    Let the investigator change dice, in any order, until they confirm. Rule TEST-8, DECIDE-109.

    Nothing is asked if no change is possible, or if none can change the outcome.
    """
    spent: list[powers.Rerolling | powers.Help] = []
    while options := [
        *_conversions(play, investigator),
        *_conversions_by_cards(play, investigator, spent),
        *_rerolls(play, investigator, spent),
    ]:
        test = _open(play)
        successes = _successes(test)
        if not useful.can_gain(successes, _most_successes(play, investigator, spent)):
            return
        result = Text("choice/accept", (successes,))
        change = await play.choose(
            play.seat_of(investigator),
            [Option[_Change | None](None, result, group="rest", ends=True), *options],
            rule="TEST-8",
            about=about,
            prompt=Text("ask/test", (successes,))
            if test.difficulty is None
            else Text("ask/test_difficulty", (successes, test.difficulty)),
            refused=tuple(_refused(play, investigator, spent)),
        )
        if change is None:
            return
        if isinstance(change, _Conversion):
            spent += [] if change.by is None else [change.by]
            _convert(play, investigator, change)
        elif dice := await _dice_to_reroll(play, investigator, change, about):
            spent.append(change)
            _reroll(play, investigator, change, dice)


_Spent = Sequence[powers.Rerolling | powers.Help]
"""Cards already used in this test; each card can be used only once."""


def _most_successes(play: Play, investigator: InvestigatorId, spent: _Spent) -> int:
    """Return the most successes that all changes not in `spent` can achieve together."""
    test = _open(play)
    left = [one for one in powers.rerolls(play, investigator, test.skill) if one not in spent]
    rerolled = sum(_rerolled(play, investigator, one) for one in left)
    # A rerolled die may show an investigation, which a Clue or a card then converts.
    converted = min(
        len(_convertible(test)),
        clues.to_convert(play, investigator)
        + sum(
            _converts(play, investigator, one)
            for one in powers.conversions(play, investigator, test.skill)
            if one not in spent
        ),
    )
    return min(len(test.faces), _successes(test) + rerolled + converted)


def _refused(play: Play, investigator: InvestigatorId, spent: _Spent) -> Iterator[RefusedChoice]:
    """Yield a refusal for each way to change dice that is closed, if any dice could change."""
    test = _open(play)
    if _convertible(test) and not clues.to_convert(play, investigator):
        text = Text("choice/spend_clues", (1,))
        if barred := powers.reason_barred(play, investigator, ModifierKind.NO_CLUES):
            yield RefusedChoice(text, barred, "GOLDEN-3")
        else:
            yield from clues.refused(play, investigator, text, "DARKNESS-1")
    if _successes(test) < len(test.faces):
        gone = {
            again.origin.source: again
            for again in powers.used_rerolls(play, investigator, test.skill)
        }
        for source, again in gone.items():
            if all(other.origin.source != source for other in spent):
                text = Text("choice/reroll", (source, _rerolled(play, investigator, again)))
                reason = Text("refusal/used_this_round", (source,))
                yield RefusedChoice(text, reason, "DECIDE-29")


def _dice(positions: Sequence[int]) -> tuple[Point, ...]:
    return tuple(Point("die", str(position)) for position in positions)


def _conversions(play: Play, investigator: InvestigatorId) -> list[Option[_Change | None]]:
    """Offer to convert investigations for one Clue each. Rules CLUE-4 and DECIDE-112."""
    convertible = _convertible(_open(play))
    most = min(len(convertible), clues.to_convert(play, investigator))
    return [
        Option(
            _Conversion(tuple(convertible[:count])),
            Text("choice/spend_clues", (count,)),
            _dice(convertible[:count]),
            "use",
        )
        for count in range(1, most + 1)
    ]


def _conversions_by_cards(
    play: Play, investigator: InvestigatorId, spent: _Spent
) -> list[Option[_Change | None]]:
    """Offer each converting card, once in a test, for as many dice as possible. Rule TEST-8."""
    test = _open(play)
    convertible = _convertible(test)
    if not convertible:
        return []
    offers: list[Option[_Change | None]] = []
    for card in powers.conversions(play, investigator, test.skill):
        dice = tuple(convertible[: _converts(play, investigator, card)])
        if card not in spent:
            text = Text("choice/convert", (card.origin.source, len(dice)))
            points = (*powers.points_at(card.origin, investigator), *_dice(dice))
            offers.append(Option(_Conversion(dice, card), text, points, "use"))
    return offers


def _converts(play: Play, investigator: InvestigatorId, card: powers.Help) -> int:
    """Return the number of dice that a card can convert: at least one."""
    assert isinstance(card.terms, Convert)
    return max(1, scaled(play, card.terms.dice, Source(investigator)))


def _convertible(test: OpenTest) -> list[int]:
    """Return the positions of the dice that a Clue or a card can convert."""
    return [
        position
        for position, face in enumerate(test.faces)
        if face is Face.INVESTIGATION and position not in test.converted
    ]


def _convert(play: Play, investigator: InvestigatorId, change: _Conversion) -> None:
    """Pay for a conversion, by Clues or by the card, and turn the dice. Rules CLUE-4, SPEND-1."""
    if change.by is not None:
        costs.pay(play, investigator, change.by.origin, change.by.terms)
    elif not clues.spend(play, investigator, len(change.dice)):
        return
    play.emit(DiceConverted(change.dice))


def _rerolls(
    play: Play, investigator: InvestigatorId, spent: _Spent
) -> list[Option[_Change | None]]:
    """Offer each reroll not used in this test yet; none if all dice show successes."""
    test = _open(play)
    if _successes(test) == len(test.faces):
        return []
    return [
        Option(
            again,
            Text("choice/reroll", (again.origin.source, _rerolled(play, investigator, again))),
            powers.points_at(again.origin, investigator),
            costs.group_of(play, again.reroll),
        )
        for again in powers.rerolls(play, investigator, test.skill)
        if again not in spent
    ]


def _rerolled(play: Play, investigator: InvestigatorId, again: powers.Rerolling) -> int:
    """Return the number of dice that can be rerolled: at least one."""
    return max(1, scaled(play, again.reroll.dice, Source(investigator)))


async def _dice_to_reroll(
    play: Play, investigator: InvestigatorId, again: powers.Rerolling, about: Text
) -> tuple[int, ...]:
    """
    Return the dice that the investigator chooses to reroll; choosing none cancels. Rule TEST-8.

    The card is used and paid for only after this choice, since an investigator may decline an
    effect.
    """
    seat, most = play.seat_of(investigator), _rerolled(play, investigator, again)
    prompt = Text("ask/reroll", (again.origin.source, most))
    dice = [
        Option[int | None](
            position, Text("choice/die", (position + 1, f"face/{face.value}")), _dice([position])
        )
        for position, face in _worst_first(_open(play))
    ]
    if most == 1:
        none = Option[int | None](None, Text("choice/no_die"), group="rest", ends=True)
        die = await play.choose(seat, [*dice, none], rule="TEST-8", about=about, prompt=prompt)
        chosen: Sequence[int | None] = (die,)
    else:
        chosen = await play.choose_some(
            seat,
            dice,
            rule="TEST-8",
            about=about,
            prompt=prompt,
            at_least=0,
            at_most=min(most, len(dice)),
            default=(0,),
        )
    return tuple(die for die in chosen if die is not None)


def _reroll(
    play: Play, investigator: InvestigatorId, again: powers.Rerolling, dice: Sequence[int]
) -> None:
    """Reroll the chosen dice; a converted one loses its Clue. Rule TEST-8 and DECIDE-109."""
    # Paid only now, with the dice chosen: declining costs nothing.
    costs.pay(play, investigator, again.origin, again.reroll)
    faces = list(_open(play).faces)
    for position, face in zip(dice, roll(play, "reroll", len(dice)), strict=True):
        faces[position] = face
    play.emit(DiceShown(tuple(faces), tuple(sorted(dice))))


def _worst_first(test: OpenTest) -> list[tuple[int, Face]]:
    """Return positions and faces of the dice, worst first: a time-out takes the first."""
    worth = {Face.BLANK: 0, Face.INVESTIGATION: 1, Face.SUCCESS: 3}
    dice = list(enumerate(test.faces))
    return sorted(dice, key=lambda die: 2 if die[0] in test.converted else worth[die[1]])
