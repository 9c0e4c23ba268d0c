"""A person who can be hurt: their health stands on the map and is read out in plain mode."""

import pytest

from client.locale import load
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Token, TokenKind
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, asked
from tests.games.second_edition.client.stage import SIZES, OnStage, model_of, play

pytestmark = pytest.mark.issue(38)
LANGUAGES = ("en", "fr")
GUEST = "token/guest"


def hurt(*, is_anonymous: bool = False) -> Script:
    """Return a game with a guest who has lost one of three health, and others nobody can hurt."""
    script = asked()
    script.emit(
        se.TokenPlaced(Token(GUEST, TokenKind.PERSON, "hall/b", is_anonymous=is_anonymous)),
        se.PersonHealth(GUEST, 3, 0),
        se.PersonHealth(GUEST, 3, 1),
    )
    return script


def named(script: Script, language: str) -> str:
    """Return the name of the guest."""
    speaker = model_of(script, language=language).speaker
    token = script.table.game.tokens[GUEST]  # type: ignore[union-attr]
    is_anybody = getattr(token, "is_anonymous", False)
    return speaker.say("token.anybody") if is_anybody else speaker.name("token", GUEST)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_anonymous", [False, True])
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_map_says_how_a_person_is(
    rows: int, columns: int, language: str, *, is_anonymous: bool
) -> None:
    """The damage stands beside the guest's name; a narrow terminal shows both on the whole map."""
    script = hurt(is_anonymous=is_anonymous)
    name = named(script, language)

    async def look(stage: OnStage) -> None:
        if columns < 50:
            await stage.press("w")
        assert f"{name} 1/3" in " ".join(stage.text.split())

    play(model_of(script, language=language), look, rows=rows, columns=columns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_mode_says_how_a_person_is(language: str) -> None:
    """The commands for the map and for the party both print the guest's damage."""
    console = Console(hurt(), language=language)
    name, say = named(hurt(), language), load(language).say

    at_map = " ".join(console.type(say("plain.word.map")))
    people = console.type(say("plain.word.party"))

    assert f"{name} ({say('box.damage', 1, 3)})" in at_map
    assert any(line.startswith(name) and "1" in line and "3" in line for line in people)


def test_who_has_died_or_cannot_be_hurt_has_no_numbers() -> None:
    script = hurt()
    script.emit(se.PersonHealth(GUEST, 3, 3), se.TokenRemoved(GUEST))
    console = Console(script)

    assert "(Damage" not in " ".join(console.type("map"))
    assert not any(", a person:" in line for line in console.type("party"))
