"""
Stakes: the consequences of a test in words, and the number of successes that is enough.

Only public knowledge is shown: the texts of monsters and of open cards. The consequences that a
scenario gives to a test stay hidden until they happen, and so does a number that a formula
computes. Rules TEST-8, TEST-11, NEGATE-1, SECRET-13 and SECRET-16.
"""

from collections.abc import Callable, Iterator
from typing import Any

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.scenario import Scenario
from content.games.second_edition.schema.targets import Which
from content.language.walk import parts_in
from content.reading.formulas import Expression, Variable
from protocol.common.text import Text, strings_of
from protocol.games.second_edition.table import Harm
from protocol.memo import memo
from protocol.values import frozen
from server.games.second_edition.rules import naming, powers
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Outcome, Play, Source

NOTHING = Text("stake/nothing")
MORE = Text("stake/more")
"""Text in place of steps that are not shown."""
MOST = 5
"""Maximum number of parts shown of one outcome."""


@frozen
class Stakes:
    """Consequences of a test in words, and how many successes are enough."""

    text: Text | None = None
    """Consequences of success and failure, for all to read; None if they are hidden."""
    about: Text | None = None
    """Purpose of the test, if the calling rule does not pass one to `make_test` itself."""
    enough: int | None = None
    """Number of successes that is enough; None if every further success counts."""
    is_all_or_nothing: bool = False
    """True if a result below the needed successes counts as no success."""


def of_test(play: Play, step: schema.SkillTest, source: Source, so_far: Outcome) -> Stakes:
    """
    Return the stakes of a test in an effect.

    The outcomes of passing and failing are put into words only for a test of a monster or a card.
    """
    if step.hidden is not None:
        return Stakes(Text("stakes/hidden", (play.table.progress.get(step.hidden, 0),)))
    if step.thresholds:
        return Stakes(Text("stakes/degrees"))
    text = None
    # A card or a monster in front of everybody; the scenario's own tests would tell the script.
    if source.monster is not None or source.possession is not None or source.harm is not None:
        passed, failed = (outcome_text(play, part, source) for part in (step.passed, step.failed))
        text = Text("stakes/test", (passed, failed))
    if reads_successes(play.content.scenario, so_far.whole):
        return Stakes(text)
    return Stakes(text, is_all_or_nothing=True)


def of_negation(damage: int, horror: int, *, is_read: bool) -> Stakes:
    """
    Return the stakes of a test that prevents harm. Rules NEGATE-1 and NEGATE-3.

    Args:
        damage: the Damage that successes prevent.
        horror: the Horror that successes prevent.
        is_read: True if the effect reads the result afterwards.
    """
    return Stakes(Text("stakes/negate"), enough=None if is_read else damage + horror)


def detailed(play: Play, text: Text, *details: str | int | Text, field: str = "text") -> Text:
    """
    Return a text with the words of `field`, and `details` as further parameters.

    In logs of version 1 the text stays unchanged.
    """
    if play.version == 1:
        return text
    return Text(text.subject, (*text.params, *details), field)


@memo(most=1024)
def reads_successes(scenario: Scenario, effect: schema.Effect) -> bool:
    """Return True if an effect, or one that it calls or draws, may read the number of successes."""
    # Named effects and decks may lead to one another in a circle, so each is read once.
    seen, todo = set[tuple[type, str]](), [effect]
    while todo:
        for part in parts_in(todo.pop()):
            match part:
                case schema.DamageMonster(successes=True) | Variable(name="successes"):
                    return True
                case schema.Call(effect=name) if (schema.Call, name) not in seen:
                    seen.add((schema.Call, name))
                    todo.append(scenario.effects[name])
                case schema.Draw(deck=name) if (schema.Draw, name) not in seen:
                    seen.add((schema.Draw, name))
                    todo += [card.effect for card in scenario.decks[name]]
    return False


# What an outcome is, in words --------------------------------------------------------------


def outcome_text(play: Play, effect: schema.Effect, source: Source) -> Text:
    """Describe an effect in at most `MOST` parts; steps that are hidden add the part `MORE`."""
    steps = [step for step in effect if not isinstance(step, schema.Say)]
    found = [tuple(_step(play, step, source)) for step in steps]
    parts = [part for texts in found for part in texts]
    if not all(found):
        parts.append(MORE)
    if len(parts) > MOST:
        parts = [*parts[: MOST - 1], MORE]
    if not parts:
        return NOTHING
    joined = parts[0]
    for one in parts[1:]:
        joined = Text("stake/and", (joined, one))
    return joined


def is_telling(outcome: Text) -> bool:
    """Return True if an outcome does more than flip, turn or discard the card itself."""
    subjects = {string for string in strings_of(outcome) if string.startswith("stake/")}
    return not subjects <= _OF_ITSELF


_OF_ITSELF = {
    *("stake/nothing", "stake/more", "stake/and"),
    *("stake/this_flipped", "stake/this_discarded", "stake/this_facedown"),
}


def _step(play: Play, step: schema.Step, source: Source) -> Iterator[Text]:
    """Yield texts on the consequences of a step; none if the consequences stay hidden."""
    if not _is_without_formula(step):
        return
    match step:
        case schema.Suffer(damage=damage, horror=horror, who=schema.Who.ACTOR):
            yield from _harm(play, damage, horror, "facedown" if step.facedown else "faceup")
        case schema.Heal(damage=damage, horror=horror, who=who) if who in _WHO:
            yield from _harm(play, damage, horror, f"healed{_WHO[who]}")
        case schema.DamageMonster(which=Which.THIS):
            yield from _monster_harm(play, step, source)
        case _ if type(step) in _SIMPLE and getattr(step, "who", _ACTOR) is _ACTOR:
            yield _SIMPLE[type(step)](play, step)


_ACTOR = schema.Who.ACTOR
_WHO = {schema.Who.ACTOR: "", schema.Who.HERE: "_here"}
"""Key suffix by investigators healed; a step that heals others has no text."""


@memo(most=1024)
def _is_without_formula(step: schema.Step) -> bool:
    """Return True if a step has no formula, so that the pack alone determines its numbers."""
    return not any(isinstance(part, Expression) for part in parts_in(step))


def _harm(play: Play, damage: schema.Number, horror: schema.Number, how: str) -> Iterator[Text]:
    for harm, number in ((Harm.DAMAGE, damage), (Harm.HORROR, horror)):
        if count := scaled(play, number):
            yield Text(f"stake/{harm.value}_{how}", (count,))


def _monster_harm(play: Play, step: schema.DamageMonster, source: Source) -> Iterator[Text]:
    if source.monster is None or source.monster not in play.table.monsters:
        return
    amount = scaled(play, step.amount)
    if step.weapon:
        amount += powers.weapon_damage(play, source.actor, source.weapon)
    name = naming.monster(play.table, source.monster)
    if step.successes:
        key = "stake/monster_by_success" if amount else "stake/monster_successes"
        yield Text(key, (name, amount) if amount else (name,))
    else:
        yield Text("stake/monster", (name, amount))


def _counted(subject: str, field: str) -> Callable[[Play, Any], Text]:
    """
    Return a function that describes a step by the text `subject`.

    The parameter of the text is the number in the field `field` of the step.
    """
    return lambda play, step: Text(subject, (scaled(play, getattr(step, field)),))


def _named(subject: str, field: str) -> Callable[[Play, Any], Text]:
    """
    Return a function that describes a step by the text `subject`.

    The parameter of the text is the card in the field `field` of the step.
    """
    return lambda _play, step: Text(subject, (getattr(step, field),))


def _alone(subject: str) -> Callable[[Play, Any], Text]:
    return lambda _play, _step: Text(subject)


def _turning(way: str) -> Callable[[Play, Any], Text]:
    return lambda play, step: Text(
        f"stake/turn_{way}_{step.harm.value}", (scaled(play, step.count),)
    )


_SIMPLE: dict[type, Callable[[Play, Any], Text]] = {
    schema.Forfeit: _alone("stake/forfeit"),
    schema.DropRandomItem: _alone("stake/drop"),
    schema.TurnThisFacedown: _alone("stake/this_facedown"),
    schema.DiscardThis: _alone("stake/this_discarded"),
    schema.FlipThis: _alone("stake/this_flipped"),
    schema.GainClues: _counted("stake/clues", "count"),
    schema.SpendClues: _counted("stake/clues_lost", "count"),
    schema.LoseActions: _counted("stake/actions_lost", "count"),
    schema.GainActions: _counted("stake/actions_gained", "count"),
    schema.MoveAway: _counted("stake/moved_away", "spaces"),
    schema.MayMove: _counted("stake/may_move", "spaces"),
    schema.Become: _named("stake/become", "condition"),
    schema.Recover: _named("stake/recover", "condition"),
    schema.GainItem: _named("stake/gain", "item"),
    schema.GainSpell: _named("stake/gain", "spell"),
    schema.TurnFacedown: _turning("facedown"),
    schema.TurnFaceup: _turning("faceup"),
}
"""Functions that make the text of a step, by its type. All these steps concern the actor."""
