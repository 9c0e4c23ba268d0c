"""One function fills the slots of templates for all words."""

import pytest

from client.locale import LANGUAGES, load
from commands.speaking import CommandWords
from protocol.common.templates import filled
from protocol.common.text import Text, render

FRENCH = {"zero": "one", "elided": "de que"}


@pytest.mark.parametrize(
    ("params", "grammar", "said"),
    [
        ((0,), {}, "0 dice"),
        ((1,), {}, "1 die"),
        ((2,), {}, "2 dice"),
        ((0,), FRENCH, "0 die"),
        ((2,), FRENCH, "2 dice"),
        (("Ada",), FRENCH, "Ada Ada"),
        ((), FRENCH, "{0} {0|die|dice}"),
    ],
)
def test_a_number_takes_its_form(
    params: tuple[str | int, ...], grammar: dict[str, str], said: str
) -> None:
    assert filled("{0} {0|die|dice}", params, grammar=grammar) == said


def test_a_key_is_named_only_where_there_are_keys() -> None:
    assert filled("{key.chat}", (), key_for=str.upper) == "CHAT"
    assert filled("{key.chat}", (), grammar=FRENCH) == "{key.chat}"


@pytest.mark.issue(11)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_reads_the_same_whoever_says_it(language: str) -> None:
    template = "{1} {0}, {2}"
    locale = load(language)
    own = type(locale)(language, {**locale.templates, "x": template})
    words = {"language": {"name": language}, "x/y": {"text": template}}

    says = {
        render(Text("x/y", (1, "Ada", "{0}")), words.get),
        own.say("x", 1, "Ada", "{0}"),
        CommandWords(language, {"x": template}).say("x", 1, "Ada", "{0}"),
    }

    assert says == {"Ada 1, {0}"}


@pytest.mark.parametrize(("language", "said"), [("en", "0 many"), ("fr", "0 one")])
def test_the_client_counts_as_its_language_does(language: str, said: str) -> None:
    """In French, zero takes the singular."""
    locale = load(language)

    assert type(locale)(language, {**locale.templates, "x": "{0} {0|one|many}"}).say("x", 0) == said
