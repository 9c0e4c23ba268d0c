"""What the keeper is told of trauma cards that cannot be played now."""

import pytest

from server.games.first_edition.rules import harm, trauma
from tests.games.first_edition.rules.bench import KIM
from tests.games.first_edition.rules.worlds import ADA, injury, insanity, world


@pytest.mark.rule("K-TRAUMA-6", "K-TRAUMA-7", "K-TRAUMA-8")
def test_the_keeper_reads_why_a_trauma_card_does_not_fit() -> None:
    """Only the keeper's own question says so."""
    cards = [injury("limp", threshold=3), insanity("fear"), injury("cut")]
    bench = world(trauma=cards, active=None)
    bench.run(harm.suffer(bench.game, ADA, damage=1))

    bench.run(trauma.settle(bench.game), {})

    (ask,) = bench.asked
    (prompt,) = ask.prompts.values()
    told = {refused.text.params[0]: refused.reason for refused in prompt.refused}
    assert set(ask.prompts) == {KIM}
    assert {card: reason.subject for card, reason in told.items()} == {
        "injury/limp": "refusal/threshold",
        "insanity/fear": "refusal/no_harm_insanity",
    }
    assert told["injury/limp"].params == (3, ADA)
