"""Planted leaks: each is found at a stated rate.

The rate is the share of the pairs in which the leak can show, as measured by
`tests.games.second_edition.twins.rates`. The tests demand about half of the rate measured when each
was written.
"""

import pytest

from tests.games.second_edition.twins.leaks import LEAKS
from tests.games.second_edition.twins.rates import found

RATES = {
    "cut_too_wide": 0.15,
    "since_is_ignored": 0.04,
    "bots_are_sent_everything": 0.5,
    "an_export_has_anothers_openings": 0.02,
    "an_operator_sees_a_card": 0.5,
    "words_come_ahead": 0.5,
    "time_tells": 0.09,
    "where_a_message_ends_tells": 0.1,
    "a_facedown_card_is_named": 0.14,
    "a_facedown_card_has_its_traits": 0.2,
    "an_insane_back_is_told": 0.12,
    "the_order_of_a_deck_shapes_the_log": 0.13,
    "a_dealt_number_is_told": 0.4,
    "a_list_that_secrets_filter_is_picked_from_openly": 0.1,
    "a_counter_is_named": 0.2,
    "a_public_list_is_as_long_as_a_secret": 0.12,
    "a_monsters_health_follows_what_was_dealt": 0.1,
    "a_reason_tells_anothers_back": 0.015,
    "a_refusal_has_another_code": 0.2,
    "a_line_of_the_log_names_a_card": 0.1,
    "a_delay_is_off": 0.15,
    "an_export_goes_ahead_of_the_delay": 0.08,
    "salts_follow_from_room_and_sequence": 0.5,
    "handles_are_in_the_order_of_cards": 0.5,
    "handles_are_used_again": 0.3,
    "a_campaign_keeps_more_than_it_says": 0.2,
    "a_spells_back_is_named": 0.35,
    "a_spells_owner_is_told_its_back": 0.12,
    "the_next_copy_shapes_a_question": 0.03,
    "a_conditions_back_is_named": 0.25,
    "a_conditions_owner_is_told_its_back": 0.15,
}
"""Minimum share of its pairs in which each leak is found."""

QUICK = {
    "a_reason_tells_anothers_back": (0, None),
    "salts_follow_from_room_and_sequence": (2, 2),
    "bots_are_sent_everything": (1, 2),
    "a_delay_is_off": (4, None),
    "a_campaign_keeps_more_than_it_says": (2, None),
}
"""
Leaks that every run plants: four that were once missed, and that between parts of a campaign. A
back that is named is planted in the first edition. Each has the index of a game that shows the
leak, and the seat that sees it (None for everybody): that game is tried first.
"""


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_leak_is_found(name: str) -> None:
    """The test ends at the first pair that shows the leak."""
    assert any(found(LEAKS[name], soon=QUICK[name]))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LEAKS))
def test_a_planted_leak_is_found_at_the_stated_rate(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    results = list(found(LEAKS[name], twins=2))

    share = sum(results) / len(results)
    with capsys.disabled():
        print(f"\n{name}: {sum(results)} of {len(results)} pairs, {share:.1%}")  # noqa: T201  # told
    assert share >= RATES[name]


def test_every_leak_has_a_rate() -> None:
    """At least fifteen leaks are planted, and no rate is too low to count as found."""
    assert RATES.keys() == LEAKS.keys()
    assert len(LEAKS) >= 15
    assert min(RATES.values()) >= 0.01
