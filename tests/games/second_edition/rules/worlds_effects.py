"""Worlds for effects: helpers to resolve effects and inspect the results."""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from content.games.second_edition.schema.cards import (
    HarmCard,
    ItemCard,
    Modifier,
    ModifierKind,
    Powers,
)
from content.games.second_edition.schema.effects import Amount, Say, SkillTest, Step
from protocol.common.text import Text
from protocol.event import cut
from protocol.event_contents import shown_strings
from protocol.games.second_edition.events import ActionSpent, CluesGained, Told
from protocol.games.second_edition.table import Harm, Investigator, Skill
from server.games.second_edition.rules import activation, effects
from server.games.second_edition.rules import harm as harms
from server.games.second_edition.rules.play import Outcome, Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, give, harm_card


def resolve(bench: Bench, *steps: Step, answers: Sequence[Any] = (), **source: Any) -> Outcome:
    """Resolve an effect that by default concerns Ada."""
    of = Source(**{"actor": ADA, **source})
    outcome = bench.run(effects.resolve(bench.game, steps, of), *answers)
    assert isinstance(outcome, Outcome) or outcome is None
    return outcome or Outcome()


def person(bench: Bench, investigator: str = ADA) -> Investigator:
    return bench.game_table.investigators[investigator]


def faceup(bench: Bench, harm: Harm, investigator: str = ADA) -> list[str]:
    """Return the faceup cards of a kind, by name."""
    return [card.card for card in person(bench, investigator).faceup_cards(harm)]


def facedown_count(bench: Bench, harm: Harm, investigator: str = ADA) -> int:
    """Return the number of facedown cards of a kind."""
    return bench.game_table.facedown_count(investigator, harm)


def items_of(bench: Bench, investigator: str = ADA) -> list[str]:
    return [has.card for has in person(bench, investigator).possessions]


def conditions_of(bench: Bench, investigator: str = ADA) -> list[str]:
    """Return the fronts of an investigator's Conditions."""
    return [has.card for has in person(bench, investigator).conditions]


def shown_to(bench: Bench, seat: int | None, *, since: int = 0) -> Iterator[str]:
    """Yield every string that has been sent to a seat, or to a spectator for None.

    Args:
        since: sequence from which the player has had the seat; earlier secrets are left out.
    """
    for stored in bench.stored:
        yield from shown_strings(cut(stored, seat, since=since))


def tags(bench: Bench) -> list[str]:
    """Return the tags of the events, in order."""
    return [event.tag for event in bench.log]


def questions(bench: Bench) -> list[str]:
    """Return the rules that asked something, in order."""
    return [ask.rule for ask in bench.asked]


def with_clues(bench: Bench, count: int, investigator: str = ADA) -> Bench:
    bench.emit(CluesGained(investigator, count))
    return bench


def spend(count: int) -> Any:
    """Return the answer that spends this many Clues."""
    return lambda option: option.text == Text("choice/spend_clues", (count,))


# Cards -------------------------------------------------------------------------------------

KNIFE = ItemCard("item/knife", "common", traits=("bladed",))
LAMP = ItemCard("item/lamp", "common", copies=2, traits=("light_source",))
IDOL = ItemCard("item/idol", "unique")


def keeps(card_id: str, harm: Harm, *modifiers: Modifier, **changes: Any) -> HarmCard:
    return harm_card(card_id, harm, keep=Powers(modifiers), **changes)


def resolves(card_id: str, harm: Harm, *steps: Step, **changes: Any) -> HarmCard:
    return attrs.evolve(harm_card(card_id, harm, **changes), resolve=steps, keep=None)


def dice(amount: int, skill: Skill | None = None) -> Modifier:
    """Return a constant modifier of dice pools."""
    return Modifier(ModifierKind.DICE, amount, skill)


def item(card_id: str, *modifiers: Modifier, **powers: Any) -> ItemCard:
    """Return a Common Item with powers."""
    return ItemCard(card_id, "common", 2, powers=Powers(modifiers, **powers))


def given(bench: Bench, *items: str, to: str = ADA) -> list[str]:
    """Give items to an investigator; return their ids on the table."""
    return [give(bench, to, one) for one in items]


def say(word: str) -> Say:
    """Return a step that tells a text, as a visible effect."""
    return Say(f"text/{word}")


def told(bench: Bench) -> list[str]:
    """Return the texts told, in order."""
    return [event.text.subject for event in bench.happened(Told)]


def told_words(bench: Bench) -> list[str]:
    """Return the words told by `say`, in order."""
    return [subject.removeprefix("text/") for subject in told(bench)]


def spent(bench: Bench) -> list[str]:
    return [event.action for event in bench.happened(ActionSpent)]


def activate(bench: Bench, *answers: Any) -> None:
    """Activate the monster; the last answer confirms."""
    bench.run(activation.activate(bench.game, "m1"), *answers)


def suffer(bench: Bench, *answers: Any, who: str = ADA, **amounts: Any) -> None:
    bench.run(harms.suffer(bench.game, who, **amounts), *answers)


def told_test(skill: Skill, difficulty: Amount, **test: Any) -> SkillTest:
    """Return a test that tells whether it was passed."""
    return SkillTest(
        skill,
        difficulty=difficulty,
        passed=(Say("text/passed"),),
        failed=(Say("text/failed"),),
        **test,
    )
