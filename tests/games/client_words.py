"""The client's own words of one game: whether languages agree, and which its code names."""

import ast
import json
import re
from pathlib import Path

from client.locale import LANGUAGES, load
from protocol.common.templates import placeholders

GAMES = Path(__file__).parents[2] / "client" / "games"


def own(game: str, language: str) -> dict[str, str]:
    """Return the words in a game's own file."""
    file = GAMES / game / "locale" / f"{language}.json"
    found: dict[str, str] = json.loads(file.read_text("utf-8"))
    return found


def languages_agree(game: str) -> None:
    """Assert that both languages have the same keys in the same order, with the same parameters."""
    english, french = (own(game, language) for language in LANGUAGES)

    assert [*english] == [*french]
    assert {k for k in english if placeholders(english[k]) != placeholders(french[k])} == set()


def named_keys(game: str) -> set[str]:
    """Return the strings in a game's code that look like keys of words, by their first part."""
    families = {key.partition(".")[0] for key in load("en", game=game).templates}
    return {
        node.value
        for path in (GAMES / game).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", node.value)
        if node.value.partition(".")[0] in families
    }
