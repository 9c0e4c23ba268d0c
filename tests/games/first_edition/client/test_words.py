"""The client's words of the first edition, in both languages."""

import re
from collections.abc import Mapping

import pytest

from client.locale import LANGUAGES, Locale, load
from client.locale.word_store import WordStore
from client.text.printable import width_of, wrap
from content.plugs.packs import shared_words
from protocol.common.templates import Nickname
from protocol.common.text import Text
from protocol.games.first_edition.puzzles import Family
from protocol.games.first_edition.table import KeeperStep, Phase
from protocol.games.first_edition.words import (
    RULESET,
    ActionType,
    AttackKind,
    Attribute,
    FeatureKind,
    Keyword,
    MonsterClass,
    Side,
    StoryDeck,
    TraumaKind,
    Variant,
)
from tests.games.client_words import languages_agree, named_keys
from tests.games.first_edition.house import manor

pytestmark = pytest.mark.issue(40)
ACTIONS = ("run", "explore", "drop", "card", "deed", "feature")
NARROW_QUESTION = 45
"""Columns of a question's lines at 80x24."""


def words(language: str) -> Locale:
    return load(language, game=RULESET)


def test_both_languages_have_the_same_keys_and_parameters() -> None:
    languages_agree(RULESET)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "key",
    [
        *(f"attribute.{one.value}" for one in Attribute),
        *(f"attribute.short.{one.value}" for one in Attribute),
        *(f"class.{one.value}" for one in MonsterClass),
        *(f"attack.{one.value}" for one in AttackKind),
        *(f"keyword.{one.value}" for one in Keyword),
        *(f"trauma.{one.value}" for one in TraumaKind),
        *(f"variant.{one.value}" for one in Variant),
        *(f"feature.{one.value}" for one in FeatureKind),
        *(f"journal.placed.{one.value}" for one in FeatureKind),
        *(f"journal.removed.{one.value}" for one in FeatureKind),
        *(f"phase.{one.value}" for one in Phase),
        *(f"step.{one.value}" for one in KeeperStep),
        *(f"ending.{one.value}" for one in Side),
        *(f"puzzle.{one.value}" for one in Family),
        *(f"acted.{one}" for one in ACTIONS),
        *(f"action.type.{one.value}" for one in ActionType),
        *(f"story_card.{one.value}" for one in StoryDeck),
        *(f"{kind}.{key}" for kind in ("key", "hint") for key in ("objective", "monsters")),
    ],
)
def test_every_member_has_words(key: str, language: str) -> None:
    assert words(language).has(key)


def test_every_key_that_is_named_has_words() -> None:
    styles = re.compile(r"map\.|journal\.(private|dice|card)$|.*\.(py|json)$")
    named = named_keys(RULESET)

    assert len(named) > 50
    assert {key for key in named if not styles.match(key) and not words("en").has(key)} == set()


def told_in(language: str, more: Mapping[str, Mapping[str, str]] | None = None) -> WordStore:
    """Return the words of rules and stories, with `more`."""
    return WordStore({**shared_words()[language], **manor().catalogs[language], **(more or {})})


@pytest.mark.issue(41)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("timer", ["about/trade", "about/curse_in_time"])
def test_the_name_of_a_timer_fits_into_the_title_of_a_small_screen(
    timer: str, language: str
) -> None:
    name = told_in(language).say(Text(timer)).removesuffix(".")
    say = words(language).say
    left = say("pane.timer", name, say("span.seconds", 55))

    title = f"{say('pane.since', say('pane.question'), say('span.seconds', 55))} - {left}"
    assert width_of(title) <= NARROW_QUESTION


@pytest.mark.issue(41)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("story", ["ninth-stone"])
def test_the_question_of_a_vote_leaves_half_of_a_small_screen_to_its_answers(
    story: str, language: str
) -> None:
    (asked,) = (one for one in manor().scenarios[f"manor/{story}"].questions if one.by_vote)
    told = told_in(language)
    for who in manor().characters:
        prompt = told.say(Text("ask/vote", (who, Text(f"{story}/{asked.id}"))))
        assert len(wrap(prompt, NARROW_QUESTION)) <= 8


@pytest.mark.issue(41)
def test_a_name_with_an_article_reads_right_in_the_words_of_both_ends() -> None:
    """The client fills its own templates, and those of the server by the server's grammar."""
    say = words("fr").say
    assert say("place.empty_of", "Le Dernier Bailli") == "la place libre du Dernier Bailli"
    assert say("place.of", Nickname("Le Chat")) == "la place de Le Chat"
    assert say("place.of", "Le Chat") == "la place du Chat"
    assert words("fr").say("link.to", "Duct", "La carrière") == "Duct vers la carrière"
    told = told_in("fr", {"room/x": {"name": "La carrière"}})
    assert told.say(Text("choice/move", ("room/x",))) == "Vers la carrière"
    assert told.say(Text("choice/accept", ("x", "ally/nan-tolley"))).startswith(
        "Accepter de la vieille Nan Tolley"
    )
