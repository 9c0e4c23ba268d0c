"""Tokens and cards of packs: what players can tell apart, and what is refused."""

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.table import TokenKind
from tests.games.second_edition.content.packs import edited, load, mistakes_in
from tests.games.second_edition.rules.worlds import offered, proceed, world

WORDS = ("words/en/words.yaml", "words/fr/words.yaml")


@pytest.mark.rule("TOKEN-5")
def test_two_persons_in_a_space_are_two_choices() -> None:
    """The options have the same words and point at different persons."""
    talk = (TokenOption("text/talk", ()),)
    bench = world(
        tokens=[
            TokenCard("token/cook", TokenKind.PERSON, "house/a", talk),
            TokenCard("token/maid", TokenKind.PERSON, "house/a", talk),
        ]
    )

    choices = [choice for choice in offered(bench) if choice.startswith("text/talk")]

    assert choices == ["text/talk token/cook", "text/talk token/maid"]


@pytest.mark.rule("TOKEN-5")
def test_a_pack_is_refused_a_person_without_a_name() -> None:
    """Nobody could tell to whom they talk."""
    files = edited(WORDS[0], "token/man: {name: Old man}", "token/man: {text: Old man}")

    (mistake, *_rest) = mistakes_in(files)

    assert "add a name" in str(mistake)


@pytest.mark.rule("TOKEN-5")
def test_the_linter_tells_of_persons_who_share_a_name() -> None:
    options = "[{text: cellar/talk, effect: [{say: cellar/ask}]}]"
    twin = f"  - id: token/twin\n    kind: person\n    at: cellar/c\n    options: {options}\n"
    files = edited("scenarios/cellar.yaml", "  - id: token/man\n", f"{twin}  - id: token/man\n")
    place = "          - place_token: token/man\n"
    files["scenarios/cellar.yaml"] = files["scenarios/cellar.yaml"].replace(
        place.encode(), (place + place.replace("man", "twin")).encode()
    )
    for name in WORDS:
        files[name] += b"token/twin: {name: Old man}\n"

    told = [str(finding) for finding in lint(load(files))]

    reason = "has the name of token/twin in 'en'; give it one of its own"
    assert told == [f"tiny/cellar: token/man: {reason}"]


@pytest.mark.rule("TOKEN-6")
def test_some_persons_have_a_name_and_some_are_anybody() -> None:
    talk = (TokenOption("text/talk", ()),)
    bench = world(
        tokens=[
            TokenCard("token/cook", TokenKind.PERSON, "house/a", talk),
            TokenCard("token/guest", TokenKind.PERSON, "house/a", talk, anonymous=True),
        ]
    )

    tokens = bench.game_table.tokens
    assert {token.token_id: token.is_anonymous for token in tokens.values()} == {
        "token/cook": False,
        "token/guest": True,
    }


@pytest.mark.rule("TOKEN-6")
def test_only_a_person_can_be_without_a_name() -> None:
    files = edited("scenarios/cellar.yaml", "kind: explore", "kind: explore\n    anonymous: true")

    (mistake,) = mistakes_in(files)

    assert "only a person can be without a name" in str(mistake)


@pytest.mark.rule("TILE-2")
@pytest.mark.parametrize("rooms", ["{a: room/hall}", "{}"])
def test_a_pack_is_refused_a_tile_with_a_space_of_no_room(rooms: str) -> None:
    files = edited("scenarios/cellar.yaml", "{a: room/hall, b: room/hall}", rooms)

    told = {str(mistake).rpartition(": ")[2] for mistake in mistakes_in(files)}
    assert "the drawing has a space 'b'; say which room it belongs to" in told


@pytest.mark.rule("ACTION-9")
@pytest.mark.rule("DECIDE-25")
def test_what_a_token_says_is_there_to_read_in_nobodys_turn() -> None:
    card = TokenCard("token/it", TokenKind.SEARCH, "house/c", (TokenOption("text/search", ()),))
    bench = world(tokens=[card], turn_of=None)

    offers = bench.game_table.tokens["token/it"].offers

    assert [(offer.text, offer.needs_action) for offer in offers] == [(Text("text/search"), True)]
    proceed(bench)
    assert not any("text/search" in choice for choice in offered(bench))
