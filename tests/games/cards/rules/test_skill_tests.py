"""Skill tests: steps, results, automatic results, tests put off. Sections 1.9 and 2.7."""

import pytest

from content.games.cards.schema.pack import Content
from protocol.games.cards.events import TestBegan as BeginningOfTest
from protocol.games.cards.events import TestEnded as EndOfTest
from protocol.games.cards.events import TestPutOff as PuttingOff
from protocol.games.cards.events import TestStep as StepOfTest
from protocol.games.cards.events import Tokens, TokensRevealed
from protocol.games.cards.words import Phase, Skill, Token, Zone
from server.games.cards.rules import answers
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

PLAYERS = """
- id: card/card
  type: skill
  icons: []
- id: card/draws
  type: skill
  icons: [wild]
  abilities:
  - does: success
    zone: committed
    effect: [draw: {number: 1}]
- id: card/twice
  type: skill
  icons: [wild]
  abilities:
  - does: forced
    zone: committed
    on: {when: test-succeeds}
    effect: [twice: true]
- id: card/friend
  type: asset
  abilities:
  - does: reaction
    on: {after: test-succeeds, who: you, deed: investigate}
    effect: [resources: 1]
- id: card/riddle
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect:
    - test: {skill: intellect, difficulty: 1, success: [resources: 3]}
- id: card/riddle-2
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect:
    - test: {skill: willpower, difficulty: 1, success: [resources: 3]}
- id: card/eager
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect: [act: {deed: investigate}]
- id: card/balm
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - heal: {horror: 1}
    - test:
        skill: willpower
        difficulty: 2
        success: [heal: {horror: 1, in_addition: true}]
- id: card/joy
  type: asset
  abilities:
  - does: reaction
    on: {after: healed, cause: {yours: true}, token: horror}
    effect: [resources: 1]
- id: card/dusk
  type: asset
  abilities:
  - does: forced
    on: {at: phase-ends, phase: upkeep}
    effect: [test: {skill: willpower, difficulty: 1, success: [resources: 1]}]
- id: card/purse
  type: event
  cost: 0
  abilities:
  - does: play
    deed: [investigate]
    effect: [investigate: {instead: true, success: [resources: 3]}]
- id: card/cloak
  type: asset
  abilities:
  - does: action
    deed: [evade]
    cost: [discard_this: true]
    effect: [evade: {base: 5, automatic: true}]
- id: card/icon
  type: skill
  icons: [agility]
- id: card/decoy
  type: asset
  abilities:
  - does: action
    cost: [discard_this: true]
    effect: [evade_now: {choose: {of: {types: [enemy], without: [elite], where: here}}}]
- id: card/gloat
  type: asset
  abilities:
  - does: reaction
    on: {after: test-succeeds, who: you, deed: evade}
    effect: [resources: 1]
- id: card/luck
  type: asset
  abilities:
  - does: free
    if: {in_test: {yours: true}}
    limit: {per: test}
    effect: [succeed: true]
- id: card/doom
  type: asset
  abilities:
  - does: free
    if: {in_test: {yours: true}}
    limit: {per: test}
    effect: [succeed: false]
- id: card/spell
  type: asset
  abilities:
  - does: action
    deed: [fight]
    effect: [fight: {}]
  - does: forced
    on: {after: token-revealed, who: you, tokens: [s1, s2, s3, s4]}
    effect: [harm: {horror: 1, is_direct: true}]
- id: card/scar
  type: asset
  abilities:
  - does: reaction
    on: {after: harm-placed, who: you, token: horror}
    effect: [damage: {card: {choose: {of: {types: [enemy], where: here}}}}]
- id: card/charge
  type: asset
  abilities:
  - does: forced
    on: {after: token-revealed, who: you, tokens: [fail]}
    effect: [defeat: you]
- id: card/grit
  type: asset
  abilities:
  - does: reaction
    on: {after: test-fails, who: you, least: 2}
    effect: [resources: 1]
"""
PLACES = """
- id: card/l1
  symbol: s1
  connects: [s2]
  face:
    id: card/l1-seen
    shroud: 2
    abilities:
    - does: forced
      on: {after: test-fails, who: anyone, least: 2}
      effect: [harm: {horror: 1, is_direct: true}]
    - does: haunted
      effect: [harm: {damage: 1, is_direct: true}]
"""
ENEMY = "- {id: card/x, fight: 2, health: 5, evade: 4, damage: 1}\n"
REFERENCE = "- {id: card/reference, s1: {by: -1}, s2: {}, s3: {effect: [succeed: true]}, s4: {}}\n"
WORLD = content_of(players=PLAYERS, enemies=ENEMY, references=REFERENCE)
HARSH = content_of(players=PLAYERS, enemies=ENEMY, locations=PLACES)


def bench_of(
    *lying: str, people: tuple[str, ...] = (ANNA,), clues: int = 0, world: Content = WORLD
) -> Bench:
    bench = Bench(world, people)
    bench.tokens_on(bench.piece("card/l1"), clue=clues)
    for card in lying:
        bench.lay(card, Zone.PLAY, ANNA)
    for who in people:
        bench.deck(who, "card/card", "card/card", "card/card")
    return bench


def last_step(bench: Bench, step: int) -> StepOfTest:
    found: StepOfTest = [one for one in bench.happened(StepOfTest) if one.step == step][-1]
    return found


def place(bench: Bench, kind: type, **fields: object) -> int:
    """Return the place on the log of the first event of a kind with these fields."""
    return next(
        at
        for at, one in enumerate(bench.log)
        if isinstance(one, kind) and all(getattr(one, key) == v for key, v in fields.items())
    )


# Steps and results


@pytest.mark.rule("C-TEST-1", "C-TEST-2", "C-TEST-3", "C-TEST-4", "C-TEST-7", "C-BTEST-2")
def test_a_test_goes_through_its_steps_in_order() -> None:
    bench = bench_of()
    bench.test(difficulty=3)
    # ST.4 only has a record where a token has a symbol; the end of the test is ST.8.
    assert [one.step for one in bench.happened(StepOfTest)] == [2, 3, 6, 7]
    assert len(bench.happened(EndOfTest)) == 1
    (began,) = bench.happened(BeginningOfTest)
    assert (began.tester, began.skill, began.difficulty) == (ANNA, Skill.COMBAT, 3)


@pytest.mark.rule("C-BTEST-11", "C-BTEST-12")
@pytest.mark.parametrize(("difficulty", "succeeds"), [(2, True), (3, True), (4, False)])
def test_a_value_that_equals_the_difficulty_succeeds(difficulty: int, succeeds: bool) -> None:
    assert bench_of().test(difficulty=difficulty) is succeeds


@pytest.mark.rule("C-BTEST-24", "C-BTEST-17")
def test_a_difficulty_below_zero_counts_as_zero() -> None:
    bench = bench_of()
    bench.test(difficulty=-4)
    assert last_step(bench, 6).difficulty == 0


@pytest.mark.rule(
    "C-EX-93", "C-TEST-4", "C-TEST-5", "C-TEST-7", "C-TEST-8", "C-TEST-9", "C-BTEST-13"
)
def test_a_reaction_to_success_comes_before_the_results() -> None:
    bench = bench_of("card/friend", clues=1)
    bench.hand(ANNA, "card/draws")
    bench.act("choice/investigate", "choice/commit", "card/friend", "result/investigate")
    assert last_step(bench, 6).has_succeeded is True
    before = place(bench, StepOfTest, step=7)
    order = [at for at, one in enumerate(bench.log) if isinstance(one, Tokens)]
    assert [at < before for at in order] == [True, False]
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert bench.count(ANNA, Token.CLUE) == 1
    assert bench.in_hand(ANNA) == ["card/card"]


@pytest.mark.rule("C-EX-93", "C-TEST-5", "C-TEST-6", "C-BKEY-26")
def test_what_answers_a_margin_comes_in_the_sixth_step() -> None:
    bench = bench_of(world=HARSH)
    bench.bag("-3")
    bench.act("choice/investigate")
    assert bench.count(ANNA, Token.HORROR) == 1
    # Haunted comes after all results.
    assert bench.count(ANNA, Token.DAMAGE) == 1
    harms = [at for at, one in enumerate(bench.log) if isinstance(one, Tokens)]
    assert harms[0] < place(bench, StepOfTest, step=7) < place(bench, EndOfTest) < harms[1]


@pytest.mark.rule("C-TEST-6", "C-BTEST-12")
@pytest.mark.parametrize(("token", "resources"), [("-1", 5), ("-2", 6), ("fail", 6)])
def test_a_margin_that_is_too_small_is_not_answered(token: str, resources: int) -> None:
    bench = bench_of("card/grit")
    bench.bag(token)
    answers = ["card/grit"] if resources == 6 else []
    bench.test(*answers, difficulty=3)
    assert bench.count(ANNA, Token.RESOURCE) == resources


@pytest.mark.rule("C-EX-38", "C-TEST-5", "C-TEST-9", "C-TEST-10", "C-TEST-11")
def test_results_that_resolve_twice_do_not_repeat_a_reaction() -> None:
    bench = bench_of("card/friend", clues=4)
    bench.hand(ANNA, "card/draws", "card/twice")
    bench.act(
        *("choice/investigate", "card/draws", "card/twice", "card/friend"),
        *("result/investigate", "result/investigate"),
    )
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert bench.count(ANNA, Token.CLUE) == 2
    assert bench.in_hand(ANNA) == ["card/card", "card/card"]


@pytest.mark.rule("C-EX-26", "C-TEST-16", "C-TEST-17")
def test_a_location_without_clues_can_be_investigated() -> None:
    bench = bench_of()
    bench.hand(ANNA, "card/purse")
    bench.act("choice/investigate")
    assert bench.count(ANNA, Token.CLUE) == 0
    assert last_step(bench, 6).has_succeeded is True
    bench.act("card/purse")
    assert bench.count(ANNA, Token.RESOURCE) == 8


@pytest.mark.rule("C-EX-35", "C-TEST-12", "C-TEST-13", "C-DECIDE-12", "C-TEST-2")
def test_harm_that_a_symbol_costs_is_answered_before_the_symbol_works() -> None:
    bench = bench_of("card/spell", "card/scar")
    bench.engage("card/x", ANNA)
    bench.bag("s1")
    bench.act(lambda option: "card/spell" in repr(option.text), "card/scar")
    assert bench.count(ANNA, Token.HORROR) == 1
    harms = [at for at, one in enumerate(bench.log) if isinstance(one, Tokens)]
    fourth = place(bench, StepOfTest, step=4)
    assert [at < fourth for at in harms] == [True, True, False]
    # 1 by the reaction and 1 by the attack.
    assert bench.count("card/x", Token.DAMAGE) == 2


# Automatic results


@pytest.mark.rule(
    "C-EX-21", "C-AUTO-1", "C-AUTO-2", "C-AUTO-3", "C-AUTO-4", "C-AUTO-5", "C-AUTO-13"
)
def test_a_success_that_is_settled_before_skips_the_token() -> None:
    bench = bench_of("card/cloak", people=(ANNA, BEN))
    bench.engage("card/x", ANNA)
    bench.hand(ANNA, "card/icon")
    bench.hand(BEN, "card/icon")
    bench.act("card/cloak", {0: "choice/commit"}, "choice/commit")
    assert [one.step for one in bench.happened(StepOfTest)] == [2, 6, 7]
    assert bench.happened(TokensRevealed) == []
    result = last_step(bench, 6)
    assert (result.value, result.difficulty, result.has_succeeded) == (7, 0, True)
    assert bench.card("card/x").is_exhausted
    assert bench.card("card/x").engaged == ()


@pytest.mark.rule("C-EX-22", "C-AUTO-10", "C-AUTO-11", "C-AUTO-12")
def test_evading_automatically_is_no_test() -> None:
    bench = bench_of("card/decoy", "card/gloat")
    bench.engage("card/x", ANNA)
    bench.act("card/decoy")
    assert bench.discarded(ANNA) == ["card/decoy"]
    assert bench.happened(BeginningOfTest) == []
    assert bench.card("card/x").is_exhausted
    assert bench.card("card/x").engaged == ()
    assert bench.count(ANNA, Token.RESOURCE) == 5


@pytest.mark.rule("C-EX-46", "C-AUTO-7")
@pytest.mark.parametrize("order", [("card/luck", "card/doom"), ("card/doom", "card/luck")])
def test_of_both_automatic_results_failure_stands(order: tuple[str, str]) -> None:
    bench = bench_of("card/luck", "card/doom")
    assert bench.test(*order, difficulty=0) is False
    assert last_step(bench, 6).value == 0


@pytest.mark.rule("C-AUTO-6", "C-DECIDE-11", "C-AUTO-13")
def test_a_token_that_succeeds_skips_no_step() -> None:
    bench = bench_of()
    bench.bag("s3")
    assert bench.test(difficulty=9) is True
    assert last_step(bench, 6).difficulty == 0
    assert [one.step for one in bench.happened(StepOfTest)] == [2, 3, 4, 6, 7]


# Tests inside tests


@pytest.mark.rule("C-EX-14", "C-DEFER-1", "C-DEFER-2", "C-DEFER-3", "C-DEFER-4", "C-DECIDE-9")
def test_a_test_inside_a_test_waits_for_the_end_of_the_action() -> None:
    bench = bench_of(clues=1)
    bench.hand(ANNA, "card/riddle")
    bench.act("choice/investigate", "card/riddle")
    put_off, ended = place(bench, PuttingOff), place(bench, EndOfTest)
    begins = [at for at, one in enumerate(bench.log) if isinstance(one, BeginningOfTest)]
    assert begins[0] < put_off < ended < begins[1]
    # The event was played at once; its test gave the resources afterwards.
    assert bench.discarded(ANNA) == ["card/riddle"]
    assert bench.count(ANNA, Token.CLUE) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 8


@pytest.mark.rule("C-DECIDE-9")
def test_tests_that_were_put_off_come_in_their_order_before_the_next_window() -> None:
    bench = bench_of(clues=1)
    bench.hand(ANNA, "card/riddle", "card/riddle-2")
    bench.act("choice/investigate", "card/riddle-2", "card/riddle")
    tests = [type(one) for one in bench.log if isinstance(one, BeginningOfTest | EndOfTest)]
    assert tests == [BeginningOfTest, EndOfTest] * 3
    # The first one to be put off is that of willpower.
    skills = [one.skill for one in bench.happened(BeginningOfTest)]
    assert skills == [Skill.INTELLECT, Skill.WILLPOWER, Skill.INTELLECT]
    # The question of the turn and two of the first test: nothing was asked afterwards.
    assert len(bench.asked) == 3


@pytest.mark.rule("C-DEFER-1", "C-DEFER-2")
def test_an_action_that_is_a_test_waits_for_the_end_of_a_test() -> None:
    bench = bench_of(clues=2)
    bench.hand(ANNA, "card/eager")
    bench.act("choice/investigate", "card/eager")
    assert bench.count(ANNA, Token.CLUE) == 2
    assert len(bench.happened(PuttingOff)) == 1
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-DECIDE-10", "C-DEFER-2")
def test_a_test_inside_a_test_that_is_no_action_comes_after_the_framework_step() -> None:
    bench = bench_of("card/dusk")
    bench.hand(ANNA, "card/riddle")
    bench.change(active="")
    bench.step(Phase.UPKEEP, 99, "card/riddle")
    # 1 by the test of the phase's end, 3 by the one that was put off; the next round has begun.
    assert bench.count(ANNA, Token.RESOURCE) == 9
    assert bench.game_table.round_number == 2
    assert bench.game_table.put_off == ()


@pytest.mark.rule("C-EX-48", "C-HEAL-3", "C-HEAL-4")
@pytest.mark.parametrize(("token", "left"), [("0", 1), ("-2", 2)])
def test_healing_one_more_by_a_test_is_one_instance_of_healing(token: str, left: int) -> None:
    bench = bench_of("card/joy")
    bench.bag(token)
    bench.tokens_on(bench.own(ANNA), horror=3)
    bench.hand(ANNA, "card/balm")
    bench.act("card/balm", "card/joy")
    assert bench.count(ANNA, Token.HORROR) == left
    assert bench.count(ANNA, Token.RESOURCE) == 6


# Elimination


@pytest.mark.rule("C-BTEST-21", "C-BTEST-27", "C-DECIDE-58")
def test_a_test_ends_without_a_result_if_its_tester_is_eliminated() -> None:
    bench = bench_of("card/charge", people=(ANNA, BEN))
    bench.engage("card/x", ANNA)
    bench.hand(BEN, "card/draws")
    bench.bag("fail")
    assert bench.test("choice/commit") is None
    assert bench.game_table.test is None
    assert {one.has_succeeded for one in bench.happened(StepOfTest)} == {None}
    assert bench.discarded(BEN) == ["card/draws"]
    assert bench.in_hand(BEN) == []
    assert bench.game_table.bag == ("fail",)


# Tests on a card

WATCHED = """
- id: card/watch
  type: asset
  cost: 0
  abilities:
  - {does: reaction, on: {when: test-begins, cause: {types: [asset]}}, effect: [resources: 1]}
- id: card/probe
  type: asset
  cost: 0
  abilities:
  - {does: action, effect: [{test: {skill: willpower, difficulty: 1, success: [{draw: 1}]}}]}
  - {does: action, deed: [fight], effect: [{fight: {}}]}
  - {does: action, deed: [evade], effect: [{evade: {}}]}
  - {does: action, deed: [investigate], effect: [{investigate: {}}]}
"""


def watched() -> Bench:
    """Return A engaged with an enemy, with a card that has tests and one that answers them."""
    bench = Bench(content_of(players=WATCHED, enemies=ENEMY))
    bench.lay("card/watch", Zone.PLAY, ANNA)
    bench.lay("card/probe", Zone.PLAY, ANNA)
    bench.engage("card/x", ANNA)
    bench.bag("-3")
    return bench


@pytest.mark.rule("C-TEST-14", "C-TEST-15")
@pytest.mark.parametrize("ability", range(4))
def test_a_test_that_an_ability_calls_for_or_starts_is_on_its_card(ability: int) -> None:
    bench = watched()
    bench.resolve("card/probe", "card/watch", ability=ability)
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("{}", True),
        ("yours: true", True),
        ("yours: false", False),
        ("deed: fight", True),
        ("deed: evade", False),
        ("skill: combat", True),
        ("skill: agility", False),
        ("here: true", True),
        ("target: {id: card/rat}", True),
        ("target: {id: card/cat}", False),
    ],
)
def test_a_condition_looks_at_the_test_that_is_going_on(condition: str, holds: bool) -> None:
    said = condition if condition == "{}" else f"{{{condition}}}"
    players = f"""
- id: card/lens
  type: asset
  abilities:
  - {{does: free, if: {{in_test: {said}}}, effect: [resources: 1]}}
"""
    enemies = "".join(
        f"- {{id: card/{name}, fight: 3, health: 3, evade: 3}}\n" for name in ("rat", "cat")
    )
    bench = Bench(content_of(players=players, enemies=enemies), (ANNA, BEN))
    bench.lay("card/lens", Zone.PLAY, ANNA)
    rat = bench.engage("card/rat", ANNA)
    assert answers.free(bench.game, ANNA) == []
    began = BeginningOfTest(ANNA, Skill.COMBAT, 3, "card/rat", rat, "fight")
    bench.emit(began)
    assert [use.code for use in answers.free(bench.game, ANNA)] == ["card/lens"] * holds


@pytest.mark.parametrize("place", ["card/l1", "card/l2"])
def test_a_condition_looks_at_a_test_of_another_at_your_location_alone(place: str) -> None:
    players = """
- id: card/lens
  type: asset
  abilities:
  - {does: free, if: {in_test: {here: true}}, effect: [resources: 1]}
"""
    bench = Bench(content_of(players=players), (ANNA, BEN))
    bench.lay("card/lens", Zone.PLAY, ANNA)
    bench.walk(BEN, place)
    bench.emit(BeginningOfTest(BEN, Skill.COMBAT, 3, "card/ben"))
    assert bool(answers.free(bench.game, ANNA)) is (place == "card/l1")


@pytest.mark.rule("C-TEST-15")
@pytest.mark.parametrize("action", ["choice/fight", "choice/evade", "choice/investigate"])
def test_a_plain_action_is_a_test_on_no_card(action: str) -> None:
    bench = watched()
    bench.act(action)
    assert bench.count(ANNA, Token.RESOURCE) == 5
