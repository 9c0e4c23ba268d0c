"""The box of the outdoors in stories of the base box. Sections 1 and 2, W-DECIDE-52, 55."""

import attrs
import pytest

from content.games.first_edition.plug import KIND
from content.games.first_edition.schema.cards import CardAction
from content.games.first_edition.schema.effects import Gain
from content.games.first_edition.schema.pack import Content
from protocol.games.first_edition.table import TRAUMA_DECK, combat_deck, spell_deck
from protocol.games.first_edition.words import MonsterClass
from server.games.first_edition.rules import decks
from server.games.first_edition.rules.ruleset import FirstEdition
from tests.games.first_edition.house import SCENARIO, manor
from tests.games.first_edition.rules.bench import Bench

rule = pytest.mark.rule

OUTDOORS = "product/outdoors"
HESTER = "investigator/hester-quill"
NORA = "investigator/nora-voss"


def content(*off: str) -> Content:
    """Return a base story of the bundled pack, with the products in `off` switched off."""
    found = KIND.content(manor(), SCENARIO, off)
    assert isinstance(found, Content)
    return found


def deck(made: Content, name: str) -> list[str]:
    """Return the cards of a deck once all decks are laid out."""
    bench = Bench(made, (NORA,))
    decks.lay_out(bench.game)
    table = bench.game.table
    return [table.card_of(handle) for handle in table.piles[name]]


@rule("W-EX-22", "W-USE-4", "W-DECIDE-52", "W-DECIDE-55")
@pytest.mark.parametrize("class_", MonsterClass)
@pytest.mark.parametrize(("off", "more"), [((), 8), ((OUTDOORS,), 0)])
def test_combat_cards_of_the_outdoors_join_the_deck_of_their_class(
    off: tuple[str, ...], more: int, class_: MonsterClass
) -> None:
    cards = deck(content(*off), combat_deck(class_))
    held = manor().products[OUTDOORS].holds
    assert len(cards) == 18 + more
    assert sum(card in held for card in cards) == more


@rule("W-EX-22", "W-USE-3", "W-DECIDE-52", "W-DECIDE-55")
@pytest.mark.parametrize(("off", "more"), [((), 9), ((OUTDOORS,), 0)])
def test_trauma_cards_of_the_outdoors_join_the_deck(off: tuple[str, ...], more: int) -> None:
    cards = deck(content(*off), TRAUMA_DECK)
    held = manor().products[OUTDOORS].holds
    assert len(cards) == 24 + more
    assert sum(card in held for card in cards) == more


@rule("W-EX-22", "W-USE-2", "W-DECIDE-52", "W-DECIDE-55")
def test_investigators_of_the_outdoors_can_be_played_in_a_base_story_while_it_is_on() -> None:
    roster = FirstEdition().roster
    on, off = roster(content()), roster(content(OUTDOORS))
    assert len(on.characters) == 12
    assert HESTER in on.characters
    assert len(off.characters) == 8
    assert HESTER not in off.characters


@rule("W-DECIDE-55")
def test_without_the_outdoors_none_of_its_components_is_in_the_pack() -> None:
    pack = content(OUTDOORS).pack
    left = {
        *(*pack.characters, *pack.traits, *pack.items, *pack.spells, *pack.monsters),
        *(*pack.combat, *pack.traumas, *pack.pits, *pack.allies, *pack.scenarios),
    }
    assert not left & set(manor().products[OUTDOORS].holds)
    assert not pack.products


UNPINNED, MARSH_LIGHT, FAR_HAND = "spell/unpinned", "spell/marsh-light", "spell/far-hand"


def spells(made: Content) -> list[str]:
    """Return the spells that have a pile once all decks are laid out."""
    bench = Bench(made, (NORA,))
    decks.lay_out(bench.game)
    piles = bench.game.table.piles
    return [spell for spell in manor().spells if spell_deck(spell) in piles]


@rule("W-USE-5", "W-USE-2")
def test_a_base_story_lays_out_the_spells_of_the_outdoors_that_can_be_had_there() -> None:
    made, held = content(), manor().products[OUTDOORS].holds
    box = [spell for spell in manor().spells if spell not in held]
    assert spells(made) == [*box, UNPINNED]

    without_its_caster = attrs.evolve(made.story, investigators=(NORA, HESTER))
    assert spells(attrs.evolve(made, story=without_its_caster)) == box

    first, *others = made.story.clues
    giving = attrs.evolve(first, effect=(Gain(spell=MARSH_LIGHT),))
    with_a_gift = attrs.evolve(made.story, clues=(giving, *others))
    assert spells(attrs.evolve(made, story=with_a_gift)) == [*box, UNPINNED, MARSH_LIGHT]

    card = next(card for card in made.pack.mythos.values() if card.id not in held)
    mythos = {**made.pack.mythos, card.id: attrs.evolve(card, effect=giving.effect)}
    with_a_card = attrs.evolve(made, pack=attrs.evolve(made.pack, mythos=mythos))
    assert spells(with_a_card) == [*box, UNPINNED, MARSH_LIGHT]


@rule("W-USE-5")
def test_a_spell_that_a_starting_item_gives_can_be_had_and_one_of_a_find_outdoors_cannot() -> None:
    made = content()
    gift = CardAction("item/almanac", (Gain(spell=MARSH_LIGHT),))

    def giver(item: str) -> Content:
        items = {**made.pack.items, item: attrs.evolve(made.pack.items[item], actions=(gift,))}
        return attrs.evolve(made, pack=attrs.evolve(made.pack, items=items))

    assert MARSH_LIGHT in spells(giver("item/flare-pistol"))
    assert MARSH_LIGHT not in spells(giver("item/almanac"))


@rule("W-USE-5")
def test_an_outdoor_story_lays_out_all_spells() -> None:
    made = content()
    assert spells(attrs.evolve(made, story=attrs.evolve(made.story, outdoor=True))) == [
        *manor().spells
    ]
