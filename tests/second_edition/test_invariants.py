"""The invariants themselves: each turns red on the fault that it is there for."""

from collections.abc import Callable

import attrs
import pytest

from content.schema.pack import Content
from protocol.common.table import Table
from protocol.second_edition.table import (
    FaceupCard,
    Feature,
    FeatureKind,
    Harm,
    Phase,
    Possession,
    SecondEditionTable,
    deck,
)
from tests.second_edition.invariants import faults
from tests.second_edition.simulate import core, scenario_id, simulate

Spoil = Callable[[SecondEditionTable, str], SecondEditionTable]


def _lose_a_card(game: SecondEditionTable, who: str) -> SecondEditionTable:
    del who
    top = game.piles[deck(Harm.HORROR)][0]
    return game.drawn(deck(Harm.HORROR), top)


def _double_a_card(game: SecondEditionTable, who: str) -> SecondEditionTable:
    card = next(card.id for card in core().harms.values() if card.harm is Harm.DAMAGE)
    return game.with_investigator(who, faceup={Harm.DAMAGE: (FaceupCard("made-up", card),)})


def _forge_an_item(game: SecondEditionTable, who: str) -> SecondEditionTable:
    item = next(iter(core().items))
    return game.with_investigator(who, possessions=(Possession("p999", item),))


def _step_off_the_board(game: SecondEditionTable, who: str) -> SecondEditionTable:
    return game.with_investigator(who, space="nowhere/a")


def _act_in_the_mythos_phase(game: SecondEditionTable, who: str) -> SecondEditionTable:
    return attrs.evolve(game, phase=Phase.MYTHOS, active=who)


def _owe_clues(game: SecondEditionTable, who: str) -> SecondEditionTable:
    return game.with_investigator(who, clues=-1)


def _be_insane_without_a_card(game: SecondEditionTable, who: str) -> SecondEditionTable:
    return game.with_investigator(who, is_insane=True)


def _burn_twice(game: SecondEditionTable, who: str) -> SecondEditionTable:
    space = game.investigators[who].space or ""
    fires = {id_: Feature(id_, FeatureKind.FIRE, space) for id_ in ("one", "other")}
    return attrs.evolve(game, features=fires)


def _burn_nowhere(game: SecondEditionTable, who: str) -> SecondEditionTable:
    del who
    return attrs.evolve(game, features={"f": Feature("f", FeatureKind.FIRE, "nowhere/a")})


def _quench_too_much(game: SecondEditionTable, who: str) -> SecondEditionTable:
    return game.with_investigator(who, quenches=-1)


@pytest.mark.parametrize(
    "spoil",
    [
        _lose_a_card,
        _double_a_card,
        _forge_an_item,
        _step_off_the_board,
        _act_in_the_mythos_phase,
        _owe_clues,
        _be_insane_without_a_card,
        _burn_twice,
        _burn_nowhere,
        _quench_too_much,
    ],
)
def test_a_planted_fault_is_found(spoil: Spoil) -> None:
    """A table that is sound without the fault is not with it."""
    content = Content(core(), core().scenarios[scenario_id()])
    simulation = simulate(5, 2)
    simulation.open()
    who = next(iter(simulation.game.investigators))
    table: Table = simulation.room.table
    assert faults(table, content) == []

    spoilt = attrs.evolve(table, game=spoil(simulation.game, who))

    assert faults(spoilt, content)
