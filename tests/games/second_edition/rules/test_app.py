"""The app's part in the rules: it keeps the game, advances the phases, and tells every choice."""

import pytest

from content.games.second_edition.schema.effects import (
    Amount,
    By,
    Choose,
    EffectChoice,
    Say,
    Suffer,
)
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.table import GameEvent
from protocol.common.text import Text
from protocol.event import Event, everything, read
from protocol.games.second_edition.events import (
    FeaturePlaced,
    GameEnded,
    InvestigatorEliminated,
    MonsterSpawned,
    MythosStepBegan,
    OptionChosen,
    PhaseBegan,
    TilePlaced,
    Told,
)
from protocol.games.second_edition.table import FeatureKind, Harm, MythosStep, Phase, TokenKind
from server.games.second_edition.rules import activation
from server.games.second_edition.rules.play import GameOver
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, begin_turn, harm_card, proceed, world
from tests.games.second_edition.rules.worlds_effects import LAMP, questions, resolve
from tests.games.second_edition.simulate import simulate

rule = pytest.mark.rule


@rule("APP-1")
def test_everything_on_the_table_is_the_keepers_doing() -> None:
    played = simulate(4, 3).play()
    records = [read(played.room.room_id, everything(stored)) for stored in played.room.log]

    by_players = [record.event for record in records if record.origin >= 0]
    assert all(event.is_input for event in by_players)
    assert not any(isinstance(event, GameEvent) for event in by_players)
    kinds: set[type[Event]] = {type(record.event) for record in records if record.origin < 0}
    assert {TilePlaced, MonsterSpawned, Told, GameEnded} <= kinds


@rule("APP-2")
def test_phases_and_rounds_turn_by_themselves() -> None:
    bench = world(turn_of=None, monsters=[("monster/drowned", "house/c")])
    begin_turn(bench, ADA)
    proceed(bench, "choice/end_turn")

    proceed(bench)
    assert bench.happened(PhaseBegan)[-1] == PhaseBegan(Phase.MYTHOS, 1)

    bench.emit(MythosStepBegan(MythosStep.HORROR))
    proceed(bench)
    assert bench.happened(PhaseBegan)[-1] == PhaseBegan(Phase.INVESTIGATOR, 2)


# What is told ------------------------------------------------------------------------------


def chosen(bench: Bench) -> list[tuple[str | None, str]]:
    """Return the choices that were told, each with the investigator who made it."""
    return [(e.investigator, e.text.subject) for e in bench.happened(OptionChosen)]


@rule("APP-3")
@pytest.mark.parametrize("kind", [TokenKind.SEARCH, TokenKind.PERSON, TokenKind.SIGHT])
def test_the_option_of_a_token_is_told_when_it_is_chosen(kind: TokenKind) -> None:
    option = TokenOption("text/look", (Say("text/dust"),))
    bench = world(tokens=[TokenCard("token/desk", kind, "house/a", (option,))])

    proceed(bench, "text/look")

    told = [e for e in bench.log if isinstance(e, Told | OptionChosen)]
    assert told == [OptionChosen(ADA, Text("text/look")), Told(Text("text/dust", (ADA,)))]


@rule("APP-3")
def test_what_is_said_in_a_dialogue_is_told_to_all() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/a"})
    ways = (EffectChoice("text/ask"), EffectChoice("text/leave", (Say("text/gone"),)))

    resolve(bench, Choose("text/what", ways), answers=["text/leave"])

    assert chosen(bench) == [(ADA, "text/leave")]


@rule("APP-3")
def test_what_all_choose_together_is_told_as_theirs() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/a"})
    ways = (EffectChoice("text/stay"), EffectChoice("text/leave"))

    resolve(bench, Choose("text/what", ways, by=By.GROUP), answers=["text/leave"])
    resolve(bench, Choose("text/what", ways[:1], by=By.GROUP))
    resolve(bench, Choose("text/what", ways[:1]))

    assert chosen(bench) == [(None, "text/leave")]


@rule("APP-7")
def test_the_text_of_an_attack_is_in_force_while_it_is_resolved() -> None:
    bench = world(monsters=[("monster/drowned", "house/a")])
    proceed(bench, "choice/attack_unarmed")
    assert _in_force(bench) == "text/attack_unarmed"

    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    assert _in_force(bench) is None

    bench.run(activation.activate(bench.game, "m1"), ...)
    assert _in_force(bench) == "text/attacks"


def _in_force(bench: Bench) -> str | None:
    text = bench.game_table.monsters["m1"].in_force
    return None if text is None else text.subject


# What need not be reported -----------------------------------------------------------------


@rule("APP-10")
@rule("DECIDE-14")
def test_a_fire_need_not_be_reported() -> None:
    """The server knows which spaces burn and spreads the fire itself."""
    bench = world(items=[LAMP], has={ADA: [LAMP.id]})

    proceed(bench, "choice/set_fire", "house/b")

    (placed,) = bench.happened(FeaturePlaced)
    assert (placed.feature.kind, placed.feature.space) == (FeatureKind.FIRE, "house/b")
    assert len(bench.asked) == 2
    assert _offered_next(bench) >= {"choice/end_turn"}


@rule("APP-10")
def test_an_elimination_and_the_end_need_not_be_reported() -> None:
    many = [harm_card(f"{harm.value}/plain", harm, copies=40) for harm in Harm]
    bench = world(at={ADA: "house/a", BEN: "house/b"}, harms=many)
    eight = Suffer(damage=Amount(8))

    resolve(bench, eight, eight)
    assert [e.investigator for e in bench.happened(InvestigatorEliminated)] == [ADA]
    with pytest.raises(GameOver):
        resolve(bench, eight, eight, actor=BEN)

    assert len(bench.happened(GameEnded)) == 1
    assert questions(bench) == []


def _offered_next(bench: Bench) -> set[str]:
    proceed(bench, ...)
    return set(bench.offered())
