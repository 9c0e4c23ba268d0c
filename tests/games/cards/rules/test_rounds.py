"""The round and its player windows. Section 2.3."""

import pytest

from protocol.games.cards import events
from protocol.games.cards.words import Phase, Token, Zone
from server.games.cards.rules import rounds
from tests.games.cards.rules.bench import Bench
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
