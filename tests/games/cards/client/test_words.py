"""The client's words of the card game, in both languages."""

import pytest

from client.locale import LANGUAGES, load
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import RULESET, SPECIAL, Phase, Skill, Token, Trauma, Zone
from tests.games.client_words import languages_agree, named_keys

pytestmark = pytest.mark.issue(42)


def test_both_languages_have_the_same_keys_and_parameters() -> None:
    languages_agree(RULESET)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "key",
    [
        *(f"phase.{one.value}" for one in Phase),
        *(f"skill.{one.value}" for one in Skill),
        *(f"token.{one.value}" for one in Token),
        *(f"trauma.{one.value}" for one in Trauma),
        *(f"chaos.{one}" for one in SPECIAL),
        *(f"place.{one.value}" for one in Zone),
        *(f"lapse.{one}{word}" for one in CardsTable.lapses for word in ("", ".word")),
    ],
)
def test_every_member_has_words(key: str, language: str) -> None:
    assert load(language, game=RULESET).has(key)


def test_every_key_that_is_named_has_words() -> None:
    known = load("en", game=RULESET)
    named = named_keys(RULESET)

    assert len(named) > 40
    assert {key for key in named if not known.has(key)} == set()
