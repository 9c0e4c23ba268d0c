"""Products that are off: none of their content comes into a game."""

import attrs
import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.schema.cards import ConditionCard
from content.games.second_edition.schema.pack import Content
from content.games.second_edition.schema.products import Product
from content.games.second_edition.schema.requirements import Enabled
from protocol.games.second_edition.table import INSANE_DECK, Harm, deck
from server.games.second_edition.rules import conditions, monsters, possessions, requirements, setup
from server.games.second_edition.rules.ruleset import SecondEdition
from tests.games.second_edition.content.packs import FILES, load, mistakes_in
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    RAT,
    harm_card,
    insane_back,
    lay_out_decks,
    pack,
    scenario,
    world,
)
from tests.games.second_edition.rules.worlds_effects import KNIFE, LAMP

TIDE = Product(
    "product/tide",
    (BEN, LAMP.id, "damage/tidal", "condition/wet", "insane/tidal", DROWNED),
)


def content(*off: str) -> Content:
    """Return content with a product of one thing of each kind; products named `off` are removed."""
    whole = pack(
        items=[LAMP, KNIFE],
        harms=[
            harm_card("damage/plain", Harm.DAMAGE),
            harm_card("damage/tidal", Harm.DAMAGE),
            harm_card("horror/plain", Harm.HORROR),
        ],
        conditions=[ConditionCard("condition/wounded", 4), ConditionCard("condition/wet", 2)],
        insane=[insane_back("insane/calm"), insane_back("insane/tidal")],
    )
    whole = attrs.evolve(whole, products={TIDE.id: TIDE})
    return Content(whole.without(off), scenario())


def laid(*off: str) -> Bench:
    """Return a bench with the decks of the setup, without the products that are off."""
    bench = Bench(content(*off))
    setup.lay_out_decks(bench.game)
    return bench


@pytest.mark.rule("APP-19")
def test_no_deck_has_a_card_of_it() -> None:
    on, off = laid(), laid(TIDE.id)

    assert on.game_table.supply.keys() - off.game_table.supply.keys() == {LAMP.id, "condition/wet"}
    for pile, tidal in ((deck(Harm.DAMAGE), "damage/tidal"), (INSANE_DECK, "insane/tidal")):
        assert tidal in _cards(on, pile)
        assert set(_cards(off, pile)) == set(_cards(on, pile)) - {tidal}


def _cards(bench: Bench, pile: str) -> list[str]:
    return [bench.game_table.card_of(handle) for handle in bench.game_table.piles[pile]]


@pytest.mark.rule("APP-19")
def test_nobody_can_play_its_investigators() -> None:
    assert SecondEdition().roster(content()).characters == (ADA, BEN, CORA)
    assert SecondEdition().roster(content(TIDE.id)).characters == (ADA, CORA)


@pytest.mark.rule("APP-19")
def test_what_an_effect_names_of_it_does_not_come() -> None:
    bench = world()
    bench.game.content = content(TIDE.id)
    lay_out_decks(bench)

    assert monsters.spawn(bench.game, DROWNED, "house/a") is None
    assert monsters.spawn(bench.game, RAT, "house/a") is not None
    assert possessions.gain(bench.game, ADA, LAMP.id) is None
    assert possessions.gain(bench.game, ADA, KNIFE.id) is not None
    conditions.become(bench.game, ADA, "condition/wet")
    assert bench.game_table.investigators[ADA].conditions == ()


@pytest.mark.rule("APP-18")
def test_a_pack_says_which_products_it_has() -> None:
    tiny = load({**FILES, "products.yaml": PRODUCTS, **_named()})

    assert tiny.products == {"product/rats": Product("product/rats", ("monster/rat", "item/tonic"))}
    assert tiny.product_of("monster/rat") == "product/rats"
    assert tiny.product_of("item/lamp") == ""
    assert "item/tonic" not in tiny.without(["product/rats"]).items
    assert tiny.without([]) is tiny


PRODUCTS = b"- id: product/rats\n  holds: [monster/rat, item/tonic]\n"


def _named() -> dict[str, bytes]:
    return {
        name: FILES[name] + b"\nproduct/rats: {name: Rats}\nproduct/two: {name: Two}\n"
        for name in ("words/en/words.yaml", "words/fr/words.yaml")
    }


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (b"- id: product/two\n  holds: [item/tonic]\n", "item/tonic belongs to product/rats alr"),
        (b"- id: product/two\n  holds: [item/none]\n", "there is no investigator, card, monster"),
        (b"- id: product/two\n  holds: [condition/wounded]\n", "the rules themselves need"),
        (b"- id: product/two\n  holds: [item/key, item/key]\n", "item/key stands here twice"),
        (b"- id: two\n  holds: [item/key]\n", "'two' is no id; write product/"),
    ],
)
def test_what_is_wrong_with_a_product_is_told(more: bytes, told: str) -> None:
    wrong = mistakes_in({**FILES, "products.yaml": PRODUCTS + more, **_named()})

    assert any(told in error.reason for error in wrong), wrong


def test_the_linter_tells_what_a_scenario_names_that_may_be_off() -> None:
    """The scenario works without that content, but its author should know."""
    found = lint(load({**FILES, "products.yaml": PRODUCTS, **_named()}))

    reason = "belongs to product/rats, which may be switched off"
    assert ("tiny/cellar", "monster/rat", reason) in [(f.where, f.subject, f.reason) for f in found]


@pytest.mark.rule("APP-18")
@pytest.mark.parametrize(("off", "is_on"), [((), True), ((TIDE.id,), False)])
def test_scenario_can_ask_whether_a_product_is_on(off: tuple[str, ...], is_on: bool) -> None:
    game = laid(*off).game

    assert requirements.holds(game, Enabled(TIDE.id), None) is is_on
