"""The round and its player windows. Section 2.3."""

import pytest

from protocol.games.cards import events
from protocol.games.cards.words import Phase, Token, Until, Zone
from server.games.cards.rules import rounds
from server.games.cards.rules.play import end_periods
from tests.games.cards.rules.bench import Bench, named
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

PLAYERS = (
    "".join(
        f"""
- id: card/{phase}
  type: asset
  cost: 1
  abilities:
  - {{does: forced, on: {{{moment}: phase-{word}, phase: {phase}}}, effect: [{{resources: 1}}]}}
"""
        for phase, moment, word in (
            ("mythos", "when", "begins"),
            ("investigation", "at", "begins"),
            ("enemy", "after", "ends"),
            ("upkeep", "when", "ends"),
        )
    )
    + """
- id: card/free
  type: asset
  cost: 1
  abilities:
  - {does: free, limit: {per: round}, effect: [{resources: 1}]}
"""
)
CONTENT = content_of(players=PLAYERS)


def _step(bench: Bench, *answers: str) -> None:
    bench.run(rounds.step(bench.game), *answers)


@pytest.mark.rule("C-BROUND-1", "C-BROUND-4")
def test_the_four_phases_come_in_order_and_abilities_answer_each() -> None:
    bench = Bench(CONTENT)
    for phase in ("mythos", "investigation", "enemy", "upkeep"):
        bench.lay(f"card/{phase}", Zone.PLAY, ANNA)
    bench.emit(events.StepCame(Phase.MYTHOS, 0))
    bench.change(active="")
    seen = []
    while bench.game_table.round_number == 1:
        seen.append(bench.game_table.phase)
        _step(bench, *(["choice/end_turn"] if bench.game_table.active else []))
    assert list(dict.fromkeys(seen)) == [
        *(Phase.MYTHOS, Phase.INVESTIGATION, Phase.ENEMY, Phase.UPKEEP)
    ]
    # 5, 1 for each of the four cards, and 1 of the upkeep phase.
    assert bench.count(ANNA, Token.RESOURCE) == 10


@pytest.mark.rule("C-BROUND-3")
def test_player_order_is_clockwise_from_the_lead() -> None:
    bench = Bench(CONTENT, (ANNA, BEN, CARA))
    bench.emit(events.LeadChosen(BEN))
    assert bench.game_table.order == (BEN, CARA, ANNA)


@pytest.mark.rule("C-BWIN-1", "C-BWIN-2", "C-BWIN-3", "C-BWIN-4", "C-BWIN-5", "C-BWIN-6")
@pytest.mark.parametrize(
    ("phase", "step", "windows"),
    [
        (Phase.MYTHOS, 4, 1),
        (Phase.INVESTIGATION, 1, 1),
        (Phase.ENEMY, 2, 1),
        (Phase.ENEMY, 3, 2),
        (Phase.UPKEEP, 1, 1),
    ],
)
def test_player_windows_of_the_phases(phase: Phase, step: int, windows: int) -> None:
    bench = Bench(CONTENT)
    bench.lay("card/free", Zone.PLAY, ANNA)
    bench.change(active="")
    bench.step(phase, step, *["pass"] * windows)
    assert len(bench.asked) == windows


@pytest.mark.rule("C-BWIN-2")
def test_a_window_closes_at_once_when_nobody_can_use_anything() -> None:
    bench = Bench(CONTENT)
    bench.lay("card/free", Zone.PLAY, ANNA)
    bench.step(Phase.UPKEEP, 1, "card/free")
    bench.step(Phase.UPKEEP, 1)
    assert bench.count(ANNA, Token.RESOURCE) == 6


TOUR = """
- id: card/always
  type: asset
  cost: 1
  abilities: [{does: free, effect: [{resources: 1}]}]
- id: card/omen
  type: asset
  cost: 1
  abilities:
  - {does: reaction, on: {after: token-revealed, who: you}, effect: [{resources: 1}]}
  - {does: reaction, on: {after: test-succeeds, who: you}, effect: [{resources: 1}]}
  - {does: reaction, on: {after: enters, who: you}, effect: [{resources: 1}]}
  - {does: reaction, on: {after: encounter-drawn, who: you}, effect: [{resources: 1}]}
"""
CHILL = "- {id: card/chill, abilities: [{does: revelation, effect: [{harm: {horror: 1}}]}]}"


def touring() -> Bench:
    """Return A with an ability that can be used in every window, and reactions to some things."""
    bench = Bench(content_of(players=TOUR, treacheries=CHILL))
    bench.lay("card/always", Zone.PLAY, ANNA)
    bench.lay("card/omen", Zone.PLAY, ANNA)
    bench.bag("0")
    return bench


def offered(bench: Bench) -> list[list[object]]:
    """Return the cards that each question offered to use."""
    return [
        [named(option) for option in ask.prompts[0].options if "use" in option.text.subject]
        for ask in bench.asked
    ]


@pytest.mark.rule("C-BWIN-8", "C-BWIN-7")
def test_no_player_window_is_open_from_the_token_to_the_end_of_the_test() -> None:
    bench = touring()
    bench.act("choice/investigate", *["choice/pass"] * 4)
    # Two windows of the test, then a reaction to the token and one to the success.
    assert offered(bench)[1:] == [["card/always"]] * 2 + [["card/omen"]] * 2


@pytest.mark.rule("C-BWIN-10", "C-BTURN-4")
def test_no_player_window_is_open_while_an_action_is_resolved() -> None:
    bench = touring()
    bench.act("choice/move", "choice/pass")
    # Only the reaction could be used, neither the free ability nor another action.
    assert offered(bench)[1:] == [["card/omen"]]


@pytest.mark.rule("C-BWIN-10")
def test_no_player_window_is_open_while_an_encounter_card_is_resolved() -> None:
    bench = touring()
    bench.deck("encounter", "card/chill", "card/chill")
    bench.step(Phase.MYTHOS, 3, "choice/pass")
    assert offered(bench) == [["card/omen"]]


@pytest.mark.rule("C-BTURN-4")
def test_an_action_is_over_before_the_turn_can_end_or_another_is_taken() -> None:
    bench = touring()
    bench.act("choice/investigate", "choice/pass", ...)
    assert bench.offered() == ["choice/use_to", "choice/pass"]
    assert bench.game_table.active == ANNA
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BROUND-1")
def test_steps_in_which_nothing_happens_have_no_record_and_do_not_come_again() -> None:
    """What a turn changes must not let an ability answer a beginning that is over."""
    bench = Bench(CONTENT)
    bench.emit(events.StepCame(Phase.INVESTIGATION, 0))
    bench.change(active="")
    before = len(bench.log)
    _step(bench)
    assert [type(one).__name__ for one in bench.log[before:]] == ["StepCame", "TurnBegan"]
    bench.lay("card/investigation", Zone.PLAY, ANNA)
    _step(bench, "choice/resource")
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-BROUND-5")
def test_a_period_with_which_nothing_ends_has_no_record() -> None:
    bench = Bench(CONTENT)
    bench.act("choice/resource")
    assert bench.happened(events.PeriodEnded) == []
    bench.lay("card/free", Zone.PLAY, ANNA)
    bench.act("card/free")
    end_periods(bench.game, Until.TURN)
    assert bench.happened(events.PeriodEnded) == []
    end_periods(bench.game, Until.ROUND)
    assert bench.happened(events.PeriodEnded) == [events.PeriodEnded(("round",))]
