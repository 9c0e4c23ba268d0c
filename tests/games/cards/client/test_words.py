"""The client's words of the card game, in both languages."""

import ast
import json
import re
from pathlib import Path

import pytest

from client.locale import LANGUAGES, load
from protocol.common.templates import placeholders
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import RULESET, SPECIAL, Phase, Skill, Token, Trauma, Zone

pytestmark = pytest.mark.issue(42)
HERE = Path(__file__).parents[4] / "client" / "games" / "cards"


def own(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((HERE / "locale" / f"{language}.json").read_text("utf-8"))
    return found


def test_both_languages_have_the_same_keys_and_parameters() -> None:
    english, french = (own(language) for language in LANGUAGES)

    assert [*english] == [*french]
    assert {k for k in english if placeholders(english[k]) != placeholders(french[k])} == set()


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
        *(f"level.{one}" for one in ("easy", "standard", "hard", "expert")),
    ],
)
def test_every_member_has_words(key: str, language: str) -> None:
    assert load(language, game=RULESET).has(key)


def test_every_key_that_is_named_has_words() -> None:
    known = load("en", game=RULESET)
    families = {key.partition(".")[0] for key in known.templates}
    named = {
        node.value
        for path in HERE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", node.value)
        if node.value.partition(".")[0] in families
    }

    assert len(named) > 40
    assert {key for key in named if not known.has(key)} == set()
