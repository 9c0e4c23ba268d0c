"""Acting as if elsewhere: costs, attacks and effects resolve in an altered state. Section 1.10."""

import pytest

from protocol.games.cards.events import Engagement, PeriodEnded, Walked
from protocol.games.cards.table import Place
from protocol.games.cards.words import Phase, Token, Until, Zone
from server.games.cards.rules import windows
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

ENEMIES = "".join(
    f"- {{id: card/{name}, fight: 3, health: 5, evade: 3, damage: 1}}\n" for name in ("x", "y")
)
PLAYERS = """
- id: card/far-sight
  type: asset
  abilities:
  - does: free
    limit: {per: phase}
    effect:
    - as_if:
        at: {choose: {of: {types: [location], where: beside}}}
        engaged: true
        do: [play: {of: {types: [event]}}]
- id: card/far-blow
  type: asset
  abilities:
  - does: free
    effect:
    - as_if:
        at: {choose: {of: {types: [location], where: beside}}}
        engaged: true
        do: [fight: {}]
- id: card/e1
  type: event
  cost: 2
  abilities:
  - does: play
    if: {exists: {of: {types: [location], where: here, holds: clue}}}
    effect: [draw: {number: 2}]
- id: card/e2
  type: event
  cost: 1
  keywords: [fast]
  abilities:
  - does: play
    if: {exists: {of: {types: [location], where: here, holds: clue}}}
    effect: [discover: {}]
- id: card/e3
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    on: {after: drawn, who: you}
    effect:
    - damage: {card: {choose: {of: {types: [enemy], engaged: you}}}}
"""
TREACHERIES = """
- id: card/w
  weakness: true
  abilities:
  - does: revelation
    effect:
    - choose: {card: {each: {types: [enemy], engaged: you}}}
    - harm: {damage: {n: 1, per: chosen}}
"""
TOLL = """
- id: card/l2
  symbol: s2
  connects: [s1, s3]
  face:
    id: card/l2-seen
    shroud: 2
    abilities:
    - does: constant
      gives:
      - additional_cost:
          deed: play
          cost: [resources: 1]
          where: {id: card/l2-seen}
"""


def bench_of(*hand: str, locations: str = "", people: tuple[str, ...] = (ANNA,)) -> Bench:
    """Return Anna at L1, engaged with Y; at L2 are a clue and X."""
    content = content_of(
        players=PLAYERS, enemies=ENEMIES, treacheries=TREACHERIES, locations=locations
    )
    bench = Bench(content, people)
    bench.reveal("card/l2")
    bench.tokens_on(bench.piece("card/l2"), clue=1)
    bench.engage("card/y", ANNA)
    bench.lay("card/x", Zone.AT, bench.piece("card/l2"))
    bench.lay("card/far-sight", Zone.PLAY, ANNA)
    bench.hand(ANNA, *hand)
    bench.deck(ANNA, "card/e3", "card/w")
    return bench


@pytest.mark.rule("C-ASIF-1", "C-BABIL-34")
def test_nobody_acts_as_if_at_two_locations() -> None:
    bench = bench_of()
    bench.walk(ANNA, "card/l2")
    for code, enemy in (("card/l1", "card/x"), ("card/l3", "card/y")):
        at = Place(Zone.AT, bench.piece(code))
        bench.emit(Engagement(bench.piece(enemy), (), at))
    bench.lay("card/far-blow", Zone.PLAY, ANNA)
    bench.resolve("card/far-blow", ...)
    assert bench.open is not None
    prompt = bench.open.prompts[0]
    assert (len(prompt.options), prompt.at_least, prompt.at_most) == (2, 1, 1)


@pytest.mark.rule(
    "C-EX-117",
    *("C-ASIF-1", "C-ASIF-2", "C-ASIF-3", "C-ASIF-4", "C-ASIF-5", "C-ASIF-6", "C-ASIF-8"),
    *("C-DECIDE-55", "C-EX-23"),
)
def test_an_event_is_played_as_if_at_another_location() -> None:
    bench = bench_of("card/e1", "card/e2")
    began = len(bench.log)
    bench.act("card/far-sight", "card/e1", "card/e3")
    # Nobody was moved or engaged, not for a moment.
    assert not [one for one in bench.log[began:] if isinstance(one, Walked | Engagement)]
    # X attacked as A played it, and W hurt once, for X alone.
    assert bench.count(ANNA, Token.DAMAGE) == 2
    assert bench.count(ANNA, Token.RESOURCE) == 3
    assert bench.who(ANNA).actions == 2
    assert bench.count("card/x", Token.DAMAGE) == 1
    assert bench.count("card/y", Token.DAMAGE) == 0
    assert bench.card("card/x").at.zone is Zone.AT
    assert bench.card("card/x").engaged == ()
    assert bench.card("card/y").engaged == (ANNA,)
    assert bench.at(ANNA) == "card/l1"
    assert bench.game_table.as_if is None
    assert bench.count("card/l2", Token.CLUE) == 1
    assert bench.discarded(ANNA) == ["card/w", "card/e3", "card/e1"]
    assert bench.in_hand(ANNA) == ["card/e2"]


@pytest.mark.rule("C-EX-117")
def test_what_was_used_in_this_phase_is_offered_again_in_the_next() -> None:
    bench = bench_of("card/e1", "card/e2")
    bench.act("card/far-sight", "card/e1", "choice/pass")
    bench.act(...)
    assert bench.open is not None
    assert not [o for o in bench.open.prompts[0].options if "far-sight" in repr(o.text)]
    bench.emit(PeriodEnded((Until.PHASE.value,)))
    bench.act("card/far-sight", "card/e2")
    assert bench.count(ANNA, Token.CLUE) == 1
    # Fast: nobody attacks.
    assert bench.count(ANNA, Token.DAMAGE) == 2


@pytest.mark.rule("C-EX-117", "C-BPLAY-13")
def test_an_event_that_is_fast_is_played_as_if_elsewhere_in_the_turn_of_another() -> None:
    bench = bench_of("card/e1", "card/e2", people=(ANNA, BEN))
    bench.set_active(BEN)
    bench.run(windows.player_window(bench.game, "turn"), "card/far-sight", "card/e2")
    assert bench.count(ANNA, Token.CLUE) == 1
    assert bench.game_table.active == BEN
    assert bench.game_table.phase is Phase.INVESTIGATION
    assert bench.in_hand(ANNA) == ["card/e1"]


@pytest.mark.rule("C-EX-23", "C-ASIF-7")
def test_what_playing_costs_at_the_other_location_is_paid() -> None:
    bench = bench_of("card/e1", locations=TOLL)
    bench.act("card/far-sight", "choice/pass")
    assert bench.count(ANNA, Token.RESOURCE) == 5 - 2 - 1


@pytest.mark.rule("C-ASIF-1")
def test_nothing_is_played_where_it_could_change_nothing() -> None:
    bench = bench_of("card/e2")
    bench.tokens_on(bench.piece("card/l2"), clue=0)
    bench.run(windows.player_window(bench.game, "turn"))
    assert bench.in_hand(ANNA) == ["card/e2"]


@pytest.mark.rule("C-ASIF-5", "C-DECIDE-55")
def test_an_enemy_of_the_true_location_is_not_at_the_other() -> None:
    bench = bench_of()
    bench.bag("1")
    bench.resolve("card/far-blow")
    assert bench.asked == []
    assert bench.count("card/x", Token.DAMAGE) == 1
    assert bench.count("card/y", Token.DAMAGE) == 0
