"""Effects of Damage and Horror cards: eliminations follow after all harm has been suffered."""

from typing import Any

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ConditionBack, ConditionCard, ItemCard
from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.games.second_edition.events import BecameWounded, HarmTaken
from protocol.games.second_edition.table import Harm
from tests.games.second_edition.rules.worlds import ADA, BEN, harm_card, investigator_card, world
from tests.games.second_edition.rules.worlds_effects import resolve, resolves

HURT = (steps.Suffer(damage=Amount(1), facedown=True),)


@pytest.mark.rule("DECIDE-51")
@pytest.mark.parametrize(
    ("step", "moment", "parts"),
    [
        (steps.Count("tide", add=1), Moment.COUNTER_REACHED, {"of": "tide", "at_least": 1}),
        (steps.GainItem("item/rope"), Moment.ITEM_GAINED, {}),
        (steps.PlaceInvestigator("house/c"), Moment.SPACE_ENTERED, {}),
        (steps.PlaceInvestigator("house/c"), Moment.ROOM_ENTERED, {}),
        (steps.FlipCondition("condition/lost"), None, {}),
        (steps.ForEach(steps.Who.ACTOR, HURT), None, {}),
    ],
)
def test_who_falls_is_seen_once_all_is_suffered(
    step: steps.Step, moment: Moment | None, parts: dict[str, Any]
) -> None:
    """The first Horror causes the last Damage that Ada can take; the second Horror still comes."""
    come = () if moment is None else (Trigger("t", moment, HURT, **parts),)
    bench = world(
        at={ADA: "house/a", BEN: "house/a"},
        items=[ItemCard("item/rope", "common")],
        conditions=[
            ConditionCard("condition/lost", backs=(ConditionBack("back/lost", 1, HURT),)),
        ],
        harms=[
            resolves("horror/turn", Harm.HORROR, step, copies=1),
            harm_card("horror/plain", Harm.HORROR),
            harm_card("damage/plain", Harm.DAMAGE),
        ],
        investigators=[investigator_card(health=1)],
        scenario_parts={"triggers": come, "counters": {"tide": Counter()}},
    )
    resolve(bench, steps.Become("condition/lost"))

    resolve(bench, steps.Suffer(horror=Amount(2)))

    kinds = [type(e) for e in bench.log if isinstance(e, HarmTaken | BecameWounded)]
    assert kinds == [HarmTaken, HarmTaken, HarmTaken, BecameWounded]
