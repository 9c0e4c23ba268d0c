"""Spells: gained at random, cast by the front, and resolved by the back."""

import attrs
import pytest

from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    Powers,
    Reach,
    SpellBack,
    SpellCard,
    WeaponKind,
)
from content.games.second_edition.schema.effects import (
    Amount,
    ClearBoard,
    DamageMonster,
    DiscardThis,
    DropRandomItem,
    FlipThis,
    GainSpell,
    Say,
    SkillTest,
    Suffer,
)
from protocol.games.second_edition.events import (
    MonsterDamaged,
    PossessionDiscarded,
    PossessionDropped,
    PossessionFlipped,
    PossessionGained,
    PossessionTaken,
    TestDeclared,
    Told,
)
from protocol.games.second_edition.table import Harm, Possession, Skill, copies_deck
from server.games.second_edition.rules import setup, sharing
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    begin_turn,
    entry,
    give,
    monster_card,
    offered,
    proceed,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    KNIFE,
    faceup,
    items_of,
    person,
    resolve,
    shown_to,
    told,
)

WARD = "spell/ward"
DECK = copies_deck(WARD)
QUIET, PRICE, LINGER = "back/ward-quiet", "back/ward-price", "back/ward-linger"
AGAIN = (DiscardThis(), GainSpell(WARD))
BACKS = (
    SpellBack(QUIET, 2, (Say("text/quiet"), *AGAIN)),
    SpellBack(PRICE, 1, (Suffer(horror=Amount(1)), *AGAIN)),
    SpellBack(
        LINGER,
        1,
        (Say("text/linger"),),
        powers=Powers(action=ComponentAction((FlipThis(),))),
    ),
)
SPELL = SpellCard(
    WARD,
    BACKS,
    traits=("incantation",),
    powers=Powers(
        action=ComponentAction((SkillTest(Skill.LORE, passed=(Say("text/cast"),)), FlipThis()))
    ),
)
TOGETHER = {ADA: "house/a", BEN: "house/a"}


def first(back: str) -> SpellCard:
    """Return the Spell with this back on its first copy."""
    return attrs.evolve(SPELL, backs=tuple(sorted(BACKS, key=lambda one: one.id != back)))


def warded(back: str = QUIET, **parts: object) -> Bench:
    """Return a bench on which Ada has a copy of the Spell with this back."""
    parts.setdefault("at", TOGETHER)
    return world(spells=(first(back),), has={ADA: [WARD]}, **parts)  # type: ignore[arg-type]


def spell_of(bench: Bench, who: str = ADA) -> Possession:
    (has,) = person(bench, who).possessions
    return has


def everything_sent(bench: Bench) -> set[str]:
    """Return every string that anybody has been sent."""
    return {text for seat in (0, 1, None) for text in shown_to(bench, seat)}


# Gaining ---------------------------------------------------------------------------------------


@pytest.mark.rule("SPELL-1")
@pytest.mark.rule("POSSESSION-1")
def test_a_spell_that_is_gained_is_the_copy_on_top_of_its_own_pile() -> None:
    bench = world(spells=(first(PRICE),))
    top, *below = bench.game_table.piles[DECK]

    resolve(bench, GainSpell(WARD))

    assert bench.happened(PossessionGained) == [PossessionGained(ADA, Possession("p1", WARD, top))]
    assert bench.game_table.piles[DECK] == tuple(below)
    assert bench.game_table.supply[WARD] == 3


@pytest.mark.rule("SPELL-1")
@pytest.mark.rule("RANDOM-2")
@pytest.mark.rule("SETUP-4")
def test_the_copies_of_each_spell_are_mixed_for_themselves() -> None:
    bench = Bench(world(spells=(SPELL, attrs.evolve(SPELL, id="spell/other"))).game.content)
    bench.give_order(DECK, [LINGER, QUIET, PRICE, QUIET])

    setup.lay_out_decks(bench.game)

    table = bench.game_table
    assert [table.card_of(handle) for handle in table.piles[DECK]] == [LINGER, QUIET, PRICE, QUIET]
    assert table.supply == {WARD: 4, "spell/other": 4, "condition/wounded": 4}
    assert len(table.piles["deck/spell/other"]) == 4


@pytest.mark.rule("DECIDE-125")
def test_no_copy_left_is_nothing_gained() -> None:
    bench = world(spells=(SPELL,), has={ADA: [WARD] * 4})

    resolve(bench, GainSpell(WARD))

    assert len(items_of(bench)) == 4


@pytest.mark.rule("SETUP-12")
@pytest.mark.rule("SETUP-13")
def test_the_group_divides_spells_as_well() -> None:
    bench = world(
        at=TOGETHER,
        spells=(SPELL,),
        items=(KNIFE,),
        scenario_parts={"starting_items": ("item/knife",), "starting_spells": (WARD,)},
    )

    bench.run(sharing.divide_possessions(bench.game), "choice/as_proposed")

    assert items_of(bench, ADA) == ["item/knife"]
    assert items_of(bench, BEN) == [WARD]


# Casting and flipping --------------------------------------------------------------------------


@pytest.mark.rule("SPELL-2")
@pytest.mark.rule("SPELL-3")
@pytest.mark.rule("COMPONENT-2")
def test_a_spell_is_cast_by_its_front_which_says_when_to_flip_it() -> None:
    """The test comes first, and the back is then resolved at once by Ada, who cast it."""
    bench = warded(PRICE)
    bench.give_dice("SBB")

    proceed(bench, "choice/component")

    kinds = (TestDeclared, Told, Told, PossessionFlipped, PossessionDiscarded)
    assert [type(event) for event in bench.log if isinstance(event, kinds)] == list(kinds)
    assert bench.happened(PossessionFlipped)[0].turned_to == PRICE
    assert len(faceup(bench, Harm.HORROR, ADA)) == 1
    assert faceup(bench, Harm.HORROR, BEN) == []


@pytest.mark.rule("SPELL-3")
def test_the_back_comes_before_what_is_left_of_the_front() -> None:
    action = ComponentAction((FlipThis(), Say("text/front_goes_on")))
    bench = world(
        spells=(attrs.evolve(first(LINGER), powers=Powers(action=action)),), has={ADA: [WARD]}
    )

    proceed(bench, "choice/component")

    assert told(bench) == ["text/linger", "text/front_goes_on"]


@pytest.mark.rule("DECIDE-127")
@pytest.mark.rule("TWOSIDED-3")
def test_a_flipped_spell_that_is_not_discarded_stays_flipped() -> None:
    bench = warded(LINGER)
    bench.give_dice("BBB")
    proceed(bench, "choice/component")

    assert spell_of(bench).turned_to == LINGER
    assert f"choice/component {spell_of(bench).possession_id}" in offered(bench)

    proceed(bench, "choice/component")

    assert spell_of(bench).face == WARD
    assert [flip.turned_to for flip in bench.happened(PossessionFlipped)] == [LINGER, None]
    assert told(bench) == ["text/linger"]


@pytest.mark.rule("SPELL-3")
def test_what_is_not_held_any_more_is_not_flipped() -> None:
    """An effect in between has taken the card away."""
    action = ComponentAction((DiscardThis(), FlipThis()))
    bench = world(spells=(attrs.evolve(SPELL, powers=Powers(action=action)),), has={ADA: [WARD]})

    proceed(bench, "choice/component")

    assert bench.happened(PossessionFlipped) == []
    assert items_of(bench) == []


# Attack spells ---------------------------------------------------------------------------------


@pytest.mark.rule("SPELL-4")
@pytest.mark.rule("SPELL-2")
@pytest.mark.rule("ATTACK-9")
@pytest.mark.rule("DECIDE-47")
def test_some_spells_are_weapons() -> None:
    """Ada attacks from afar with a Spell, and her card then says to flip it."""
    bolt = Attack(Reach.RANGED, WeaponKind.SPELL, 3, after=(FlipThis(),))
    brittle = monster_card(
        attacks={
            kind: (
                entry(DamageMonster(weapon=kind is WeaponKind.SPELL), text=f"text/{kind.value}"),
            )
            for kind in WeaponKind
        },
        health=Amount(9),
    )
    bench = world(
        spells=(attrs.evolve(first(LINGER), attack=bolt),),
        has={ADA: [WARD]},
        monsters=[(DROWNED, "house/b")],
        monster_cards=[brittle],
    )

    proceed(bench, "choice/attack_with")

    assert bench.happened(MonsterDamaged) == [MonsterDamaged("m1", 3)]
    assert told(bench) == ["text/spell", "text/linger"]
    # The back has no attack icon.
    assert "choice/attack_with" not in {offer.split()[0] for offer in offered(bench)}


# The supply ------------------------------------------------------------------------------------


@pytest.mark.rule("DECIDE-124")
@pytest.mark.rule("DISCARD-1")
@pytest.mark.rule("SECRET-4")
def test_a_discarded_copy_is_back_and_mixed_in_before_the_next_is_picked() -> None:
    """The new copy can be the old one, and always has a new handle."""
    bench = warded(PRICE)
    old = spell_of(bench).handle
    bench.give_dice("BBB")
    bench.give_order(DECK, [PRICE, QUIET, LINGER, QUIET])

    proceed(bench, "choice/component")

    new = spell_of(bench)
    assert bench.game_table.card_of(new.handle) == PRICE
    assert new.turned_to is None
    assert new.handle != old
    assert old not in bench.game_table.hidden_cards
    assert bench.game_table.supply[WARD] == 3


@pytest.mark.rule("SECRET-4")
def test_every_way_back_to_the_deck_mixes_it() -> None:
    bench = warded()
    before = bench.game_table.piles[DECK]

    resolve(bench, DiscardThis(), possession="p1")

    after = bench.game_table.piles[DECK]
    assert len(after) == len(before) + 1
    assert not {*before} & {*after}


@pytest.mark.rule("SECRET-4")
@pytest.mark.rule("DECIDE-147")
def test_a_spell_that_lies_about_when_the_board_is_cleared_is_mixed_in() -> None:
    bench = warded()
    copy = spell_of(bench).handle
    bench.emit(PossessionDropped(ADA, "p1", "house/a"))

    resolve(bench, ClearBoard())

    pile = bench.game_table.piles[DECK]
    assert len(pile) == bench.game_table.supply[WARD] == 4
    assert copy not in pile


@pytest.mark.rule("RANDOM-3")
@pytest.mark.rule("ITEM-1")
def test_a_random_item_is_never_a_spell() -> None:
    """Ada drops her knife, as a Spell is a possession but not an Item."""
    bench = warded(items=(KNIFE,))
    give(bench, ADA, "item/knife")

    resolve(bench, DropRandomItem())

    assert items_of(bench) == [WARD]


# Secrets ---------------------------------------------------------------------------------------


@pytest.mark.rule("EX-34")
@pytest.mark.rule("SECRET-3")
@pytest.mark.rule("DECIDE-126")
@pytest.mark.rule("DECIDE-128")
def test_a_traded_spell_is_the_same_copy_and_nobody_has_read_it() -> None:
    """Ada gives the Spell to Ben. The back is sent to everybody only when he casts it."""
    bench = warded(PRICE)
    copy = spell_of(bench).handle

    proceed(bench, "choice/trade", "choice/give", {0: "choice/trade_close", 1: 0})

    assert spell_of(bench, BEN).handle == copy
    assert not {QUIET, PRICE, LINGER} & everything_sent(bench)

    begin_turn(bench, BEN)
    bench.give_dice("BBB")
    bench.give_order(DECK, [QUIET, PRICE, LINGER, QUIET])
    proceed(bench, "choice/component")

    for seat in (0, 1, None):
        assert PRICE in set(shown_to(bench, seat))
        assert not {QUIET, LINGER} & set(shown_to(bench, seat))
    assert bench.happened(PossessionFlipped) == [PossessionFlipped(BEN, "p1", copy, PRICE)]
    assert bench.game_table.card_of(spell_of(bench, BEN).handle) == QUIET


@pytest.mark.rule("DECIDE-128")
@pytest.mark.rule("SECRET-3")
@pytest.mark.parametrize("is_flipped", [False, True])
def test_a_spell_that_is_dropped_and_picked_up_is_the_same_copy(*, is_flipped: bool) -> None:
    bench = warded(LINGER, at={ADA: "house/a"})
    if is_flipped:
        resolve(bench, FlipThis(), possession="p1")
    before = spell_of(bench)

    proceed(bench, "choice/trade", "choice/drop", "choice/pick_up", "choice/trade_close")

    assert spell_of(bench) == before
    assert (LINGER in set(shown_to(bench, 0))) is is_flipped


@pytest.mark.rule("DECIDE-128")
@pytest.mark.rule("POSSESSION-1")
@pytest.mark.rule("STEAL-6")
def test_a_spell_that_is_stolen_is_the_same_copy() -> None:
    bench = warded(PRICE, turn_of=BEN)
    before = spell_of(bench)
    bench.give_dice("SBB BBB")

    proceed(bench, "choice/steal", "skill/agility", (WARD,))

    assert bench.happened(PossessionTaken) == [PossessionTaken(ADA, BEN, "p1")]
    assert spell_of(bench, BEN) == before
    assert PRICE not in everything_sent(bench)


@pytest.mark.rule("SECRET-3")
@pytest.mark.rule("SECRET-4")
def test_no_question_depends_on_a_back() -> None:
    asked = []
    for back in (QUIET, PRICE, LINGER):
        bench = warded(back)
        proceed(bench, ...)
        assert bench.open is not None
        (prompt,) = bench.open.prompts.values()
        asked.append([(option.text, option.points) for option in prompt.options])

    assert asked[0] == asked[1] == asked[2]
