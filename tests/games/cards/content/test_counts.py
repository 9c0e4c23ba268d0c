"""What the box and scenario one hold is what was promised."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from content.games.cards.schema.cards import Ability, AnyCard, Does, PlayerCard
from content.games.cards.schema.costs import BagCost, SealCost
from content.games.cards.schema.kinds import CardClass, CardType, Keyword
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import Pack
from content.games.cards.schema.scenario import Scenario
from content.games.cards.schema.steps import (
    Attach,
    Cancel,
    CancelToken,
    ChangeBag,
    Doom,
    IntoPlay,
    Look,
    MoveHarm,
    Reduce,
    RevealMore,
    SealShown,
    Search,
    Send,
    ToThreat,
)
from content.language.walk import parts_in
from server.games.cards.rules.setup import encounter_cards
from tests.games.cards.simulate import core

pytestmark = pytest.mark.issue(42)

CLASSES = [one for one in CardClass if one is not CardClass.NEUTRAL]


@pytest.fixture(scope="module")
def pack() -> Pack:
    return core()


@pytest.fixture(scope="module")
def one(pack: Pack) -> Scenario:
    return pack.scenarios["casebook/one"]


def ordinary(pack: Pack) -> list[PlayerCard]:
    """Return the cards of level 0 that decks are built of."""
    return [card for card in pack.players.values() if card.level == 0]


def has(card: AnyCard, *kinds: type) -> bool:
    """Return whether one of these parts of the vocabulary occurs in a card."""
    return any(isinstance(part, kinds) for part in parts_in(card))


def reactions(pack: Pack) -> Iterator[tuple[AnyCard, Ability, Happening]]:
    """Yield the reactions of players: abilities, and events with a moment of their own."""
    for card in (*pack.players.values(), *pack.investigators.values()):
        for ability in card.abilities:
            if ability.on is not None and ability.does in (Does.REACTION, Does.PLAY):
                yield card, ability, ability.on.parts()[1]


@pytest.mark.parametrize("class_", [*CLASSES, CardClass.NEUTRAL])
def test_each_class_has_its_assets_events_and_skills(pack: Pack, class_: CardClass) -> None:
    found = Counter(card.type for card in ordinary(pack) if card.class_ == (class_,))

    wanted = (5, 3, 4) if class_ is CardClass.NEUTRAL else (5, 4, 3)
    types = (CardType.ASSET, CardType.EVENT, CardType.SKILL)
    assert found == dict(zip(types, wanted, strict=True))


def test_there_are_72_titles_of_level_0(pack: Pack) -> None:
    assert len(ordinary(pack)) == 72


def test_each_class_has_an_investigator_with_a_star_and_an_ability(pack: Pack) -> None:
    people = pack.investigators.values()

    assert sorted(one.class_.value for one in people) == sorted(one.value for one in CLASSES)
    for one in people:
        assert one.star or one.star_bonus.per.value != "once", one.id
        assert [a.does in (Does.REACTION, Does.FREE) for a in one.abilities] == [True], one.id


def test_each_investigator_has_a_signature_card_and_a_signature_weakness(pack: Pack) -> None:
    cards = {card.id: card for card in pack.all_cards()}
    for who in pack.investigators.values():
        own = [cards[id_] for id_ in who.signatures]
        weak = [getattr(card, "weakness", False) for card in own]
        assert sorted(weak) == [False, True], who.id
        assert all(getattr(card, "signature_of", "") == who.id for card in own)


def test_there_are_ten_basic_weaknesses(pack: Pack) -> None:
    def basic(cards: Any) -> int:
        return sum(1 for card in cards.values() if card.basic and card.weakness)

    assert (basic(pack.enemies), basic(pack.treacheries), basic(pack.players)) == (3, 5, 2)


def test_each_investigator_has_a_starter_deck_of_30_allowed_cards(pack: Pack) -> None:
    assert len(pack.decks) == len(pack.investigators)
    for deck in pack.decks.values():
        class_ = pack.investigators[deck.investigator].class_
        assert sum(deck.cards.values()) == 30, deck.id
        for id_, number in deck.cards.items():
            card = pack.players[id_]
            assert card.level == 0 and number <= 2, (deck.id, id_)  # noqa: PT018 (one rule)
            assert card.class_[0] in (class_, CardClass.NEUTRAL), (deck.id, id_)


@pytest.mark.parametrize(
    ("least", "what", "count"),
    [
        (12, "Fast", lambda card: Keyword.FAST in card.keywords),
        (8, "Uses", lambda card: card.uses is not None),
        (10, "unique allies", lambda card: card.unique and "ally" in card.traits),
        (5, "cancel or replace", lambda card: has(card, Cancel, CancelToken, Reduce, MoveHarm)),
        (5, "search or look", lambda card: has(card, Search, Look)),
        (10, "skills with text", lambda card: card.type is CardType.SKILL and card.abilities),
        (2, "replace the reveal", lambda card: has(card, RevealMore)),
        (2, "seal", lambda card: has(card, SealCost, SealShown)),
        (2, "bless or curse", lambda card: has(card, ChangeBag, BagCost)),
        (2, "from the discard pile", lambda card: has(card, IntoPlay, Send)),
    ],
)
def test_the_box_has_enough_of_each_kind(pack: Pack, least: int, what: str, count: Any) -> None:
    found = [card.id for card in ordinary(pack) if count(card)]

    assert len(found) >= least, (what, found)


def test_twenty_reactions_answer_twelve_occurrences(pack: Pack) -> None:
    found = list(reactions(pack))

    assert len(found) >= 20
    assert len({happening for _, _, happening in found}) >= 12


# Scenario one


def encounter(pack: Pack, one: Scenario) -> list[str]:
    return encounter_cards(pack, one.sets, one.aside)


def test_scenario_one_has_ten_locations_of_which_three_pairs_are_dealt(
    pack: Pack, one: Scenario
) -> None:
    places = [pack.locations[id_] for id_ in (*one.locations, *one.aside) if id_ in pack.locations]
    faces = [face for place in places for face in (place.face, *place.versions)]

    assert len(faces) == 10
    assert [len(place.versions) for place in places if place.versions] == [1, 1, 1]
    assert sum(place.other is not None for place in places) == 2


def test_scenario_one_has_three_acts_and_agendas(one: Scenario) -> None:
    assert (len(one.acts), len(one.agendas)) == (3, 3)
    assert [len(versions) for versions in one.act_versions.values()] == [2]
    assert next(iter(one.act_versions)) == one.acts[1]


def test_scenario_one_has_nine_enemies_with_the_keywords(pack: Pack, one: Scenario) -> None:
    ids = {*encounter(pack, one), *one.aside} & pack.enemies.keys()
    cards = [pack.enemies[id_] for id_ in sorted(ids)]
    keywords = Counter(keyword for card in cards for keyword in card.keywords)

    assert len(cards) == 9
    assert keywords[Keyword.HUNTER] == 4
    for keyword in (Keyword.RETALIATE, Keyword.ALERT, Keyword.ALOOF, Keyword.MASSIVE):
        assert keywords[keyword], keyword
    assert any(card.swarming for card in cards)
    assert any(card.prey is not None and card.prey.only for card in cards)
    assert [card.id for card in cards if "elite" in card.traits and card.victory] == ["card/ringer"]


def test_scenario_one_has_thirteen_treacheries_of_all_sorts(pack: Pack, one: Scenario) -> None:
    cards = [
        pack.treacheries[id_] for id_ in sorted({*encounter(pack, one)} & pack.treacheries.keys())
    ]
    keywords = {keyword for card in cards for keyword in card.keywords}

    assert len(cards) == 13
    assert keywords >= {Keyword.SURGE, Keyword.PERIL, Keyword.HIDDEN}
    assert sum(has(card, Attach) for card in cards) >= 2
    assert any(has(card, ToThreat) for card in cards)
    assert any(has(card, Doom) for card in cards)


def test_scenario_one_has_a_story_asset_and_an_encounter_deck_of_32(
    pack: Pack, one: Scenario
) -> None:
    assert [id_ for id_ in one.aside if id_ in pack.stories] == ["card/ferryman"]
    assert len(encounter(pack, one)) == 32


def test_scenario_one_has_two_faces_four_bags_and_three_ends(pack: Pack, one: Scenario) -> None:
    assert len(set(one.reference.values())) == 2
    assert one.reference.keys() == one.bags.keys()
    assert len(one.bags) == 4
    assert all(16 <= len(bag) <= 18 for bag in one.bags.values())
    assert [entry.is_won for entry in one.resolutions] == [False, True, True]
    assert 45 <= one.minutes <= 75
    assert all(hasattr(pack.references[id_], "s4") for id_ in one.reference.values())


def test_before_a_game_each_investigator_says_what_the_starter_deck_holds(pack: Pack) -> None:
    catalogs = pack.catalogs
    ida = catalogs["en"]["card/ida"]["deck"]
    own = [catalogs["en"][one]["name"] for one in pack.investigators["card/ida"].signatures]
    assert ida.startswith("Starter deck: 2 × Hand Lamp · 1 × Card Index · ")
    assert ida.endswith(f" · 2 × Presence of Mind. Beside these: {own[0]} · {own[1]}.")
    assert catalogs["fr"]["card/ida"]["deck"].startswith(
        "Deck de départ\u00a0: 2 × Lampe à main · "
    )
    assert all("deck" in catalogs["en"][who] for who in pack.investigators)
