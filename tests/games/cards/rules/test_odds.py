"""Odds of a test as it stands, and with a card more, against trying every order of tokens."""

import itertools
from collections.abc import Sequence
from fractions import Fraction

import pytest

from protocol.common.text import Text
from protocol.games.cards.events import TestBegan as BeginningOfTest
from protocol.games.cards.table import Card, Place, hand_of
from protocol.games.cards.words import FAIL, Skill, Zone
from server.games.cards.rules import odds, outcomes, skill_tests
from server.games.cards.rules.plans import Plan
from server.games.cards.rules.play import Play, Source, as_of
from tests.games.cards.random_games import play
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

WORLD = content_of(
    players="""
- {id: card/one, type: skill, icons: [combat]}
- {id: card/two, type: skill, icons: [wild, combat]}
- {id: card/none, type: skill, icons: [agility]}
- id: card/lucky
  type: skill
  icons: [wild]
  abilities:
  - does: constant
    zone: committed
    gives: [token: {tokens: [s2], by: 5}]
- id: card/find
  type: skill
  icons: [combat]
  abilities:
  - {does: success, zone: committed, effect: [resources: 1]}
- id: card/hand
  type: skill
  icons: [combat]
  abilities:
  - {does: constant, zone: committed, gives: [result: {deed: investigate, by: 1}]}
- id: card/torch
  type: asset
  abilities:
  - {does: free, effect: [lasting: {until: test, gives: [skill: {stat: combat, by: 2}]}]}
- id: card/brand
  type: asset
  abilities:
  - {does: free, effect: [resources: 1]}
- id: card/salve
  type: asset
  abilities:
  - {does: free, effect: [heal: {horror: 1}]}
- id: card/hunch
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - {does: play, effect: [discover: {}]}
- id: card/line
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect:
    - lasting:
        until: round
        card: {each: {types: [investigator]}}
        gives: [stat: {of: {types: [enemy]}, stat: damage, by: -1}]
- id: card/coat
  type: asset
  icons: [combat]
  abilities:
  - does: constant
    zone: committed
    gives: [skill: {stat: combat, by: 5}]
- id: card/sword
  type: asset
  abilities:
  - {does: constant, gives: [skill: {stat: combat, by: 4}]}
- id: card/oath
  type: asset
  abilities:
  - {does: constant, gives: [skill: {stat: combat, how: double}]}
""",
    treacheries="""
- id: card/curse
  abilities:
  - {does: constant, gives: [skill: {stat: combat, by: -1}]}
- id: card/whisper
  keywords: [hidden, peril]
  abilities:
  - {does: constant, gives: [skill: {stat: combat, by: -2}]}
""",
    references="""
- id: card/reference
  s1: {by: -1, another: true}
  s2: {by: -4}
  s3: {effect: [succeed: true]}
  s4: {by: -1, effect: [another_token: true]}
""",
)
WORTH = {"s1": -1, "s2": -4, "s4": -1, "bless": 2, "curse": -2, "star": 1}
CHAINS = ("bless", "curse", "s1", "s4")


def standing(bench: Bench, difficulty: int, skill: Skill = Skill.COMBAT) -> Plan:
    return Plan(ANNA, skill, lambda: difficulty, Source(ANNA, bench.own(ANNA), ANNA))


def passes(order: Sequence[str], worth: int, difficulty: int) -> bool:
    """Return whether a test succeeds with the tokens of a bag drawn in an order."""
    for token in order:
        if token == FAIL:
            return False
        if token == "s3":  # a token of the bag
            return True
        worth += WORTH.get(token) or (0 if token in WORTH else int(token))
        if token not in CHAINS:
            break
    return max(0, worth) >= difficulty


def by_trying(bag: Sequence[str], worth: int, difficulty: int) -> int:
    orders = list(itertools.permutations(bag))
    passing = sum(passes(order, worth, difficulty) for order in orders)
    return int(Fraction(passing * odds.WHOLE, len(orders)))


BAGS = [
    ("0",),
    ("0", "-1", "-2", "fail", "star"),
    ("0", "-1", "-2", "-3", "bless", "curse"),
    ("0", "-2", "bless", "bless", "curse", "s1"),
    ("-1", "-2", "s1", "s2", "s3", "fail"),
    ("s1", "s4", "-3", "+1", "curse"),
    ("bless", "curse", "s1"),
]


@pytest.mark.rule("C-BBAG-3", "C-BBAG-11", "C-BBAG-17", "C-BTEST-11")
@pytest.mark.parametrize("bag", BAGS, ids=" ".join)
def test_the_odds_are_those_of_trying_every_order_of_the_bag(bag: tuple[str, ...]) -> None:
    bench = Bench(WORLD)
    bench.bag(*bag)
    found = [odds.odds(bench.game, standing(bench, n)) for n in range(8)]
    assert found == [by_trying(bag, 3, n) for n in range(8)]


@pytest.mark.rule("C-WILD-2", "C-BTEST-6", "C-COMMIT-4", "C-SECRET-1")
def test_each_card_that_could_be_committed_has_its_odds() -> None:
    bench = Bench(WORLD)
    bag = ("0", "-1", "-2", "-3", "s2", "fail")
    bench.bag(*bag)
    bench.hand(ANNA, "card/one", "card/two", "card/lucky", "card/coat")
    plan = standing(bench, 4)
    found = {
        bench.game_table.card_of(handle): odds.with_card(bench.game, plan, ANNA, handle)
        for handle in bench.game_table.piles[hand_of(ANNA)]
    }
    assert found == {
        "card/one": by_trying(bag, 4, 4),
        "card/two": by_trying(bag, 5, 4),
        # With S2 as +1 two of six pass, and not one.
        "card/lucky": 33,
        # An asset gives its icon and nothing else.
        "card/coat": by_trying(bag, 4, 4),
    }


def test_the_odds_come_with_the_question() -> None:
    bench = Bench(WORLD)
    bench.bag("0", "-1", "-2", "fail")
    bench.hand(ANNA, "card/one", "card/none")
    bench.run(skill_tests.perform(bench.game, standing(bench, 3)), ...)
    assert bench.open is not None
    prompt = bench.open.prompts[0]
    assert prompt.prompt.params[:4] == (ANNA, 3, 3, 25)
    assert prompt.prompt.params[4] == Text("about/value_0", ("skill/combat", 3))
    assert [option.text.params for option in prompt.options] == [("card/one", 50), ()]


@pytest.mark.rule("C-BTEST-9", "C-BABIL-18", "C-WILD-2")
def test_the_question_says_what_the_value_is_made_of() -> None:
    bench = Bench(WORLD)
    bench.lay("card/sword", Zone.PLAY, ANNA)
    bench.lay("card/curse", Zone.THREAT, ANNA)
    bench.lay("card/two", Zone.COMMITTED, ANNA)
    plan = standing(bench, 3)
    plan.plus = 1

    said = skill_tests.parts_of(bench.game, plan)

    assert parts(said) == [
        *[("skill/combat", 3), ("card/sword", 4), ("card/curse", -1)],
        *[(ANNA, 1), ("card/two", 2)],
    ]
    assert sum(int(str(by)) for _, by in parts(said)) == skill_tests.value_now(bench.game, plan)


def test_parts_beyond_the_limit_are_one() -> None:
    bench = Bench(WORLD)
    for _ in range(9):
        bench.lay("card/one", Zone.COMMITTED, ANNA)

    said = parts(skill_tests.parts_of(bench.game, standing(bench, 3)))

    assert said[-1] == ("about/rest", 4)
    assert sum(int(str(by)) for _, by in said) == 12


@pytest.mark.rule("C-BABIL-18")
def test_a_doubled_value_says_what_the_doubling_adds() -> None:
    bench = Bench(WORLD)
    bench.lay("card/sword", Zone.PLAY, ANNA)
    bench.lay("card/oath", Zone.PLAY, ANNA)

    said = parts(skill_tests.parts_of(bench.game, standing(bench, 3)))

    assert said == [("skill/combat", 3), ("card/sword", 4), ("card/oath", 7)]


@pytest.mark.rule("C-BKEY-7", "C-SECRET-2")
def test_a_hidden_card_is_counted_without_its_name() -> None:
    bench = Bench(WORLD)
    bench.hand(ANNA, "card/whisper")

    said = parts(skill_tests.parts_of(bench.game, standing(bench, 3)))

    assert said == [("skill/combat", 3), ("about/hidden", -2)]


def parts(text: Text) -> list[tuple[object, object]]:
    """Return the parts of a value: names and numbers."""
    name, base, *signed = text.params
    found: list[tuple[object, object]] = [(name, base)]
    for part in signed:
        assert isinstance(part, Text)
        of, by = part.params
        assert isinstance(by, int)
        found.append((of, by if part.subject == "about/plus" else -by))
    assert text.subject == f"about/value_{len(signed)}"
    return found


def test_a_seat_of_two_investigators_reads_from_whose_hand_a_commit_is() -> None:
    bench = Bench(WORLD, (ANNA, BEN), seats=(0, 0))
    bench.bag("0", "-1", "-2", "fail")
    bench.hand(BEN, "card/one")
    bench.run(skill_tests.perform(bench.game, standing(bench, 3)), ...)
    assert bench.open is not None
    option = bench.open.prompts[0].options[0]
    assert (option.text.subject, option.text.params[2]) == ("choice/commit_of", BEN)


def test_a_card_that_raises_no_chance_says_so_and_comes_last() -> None:
    bench = Bench(WORLD)
    bench.bag("0", "-1", "-1", "-5")
    bench.hand(ANNA, "card/one", "card/two")
    bench.run(skill_tests.perform(bench.game, standing(bench, 5)), ...)
    assert bench.open is not None
    of_anna = bench.open.prompts[0].options
    assert [(one.text.subject, one.text.params, one.group) for one in of_anna] == [
        ("choice/commit", ("card/two", 25), ""),
        ("choice/commit_vain", ("card/one", 0), outcomes.VAIN),
        ("choice/pass", (), ""),
    ]


@pytest.mark.issue(42)
def test_a_skill_that_does_more_than_its_icons_is_no_commit_in_vain() -> None:
    bench = Bench(WORLD)
    bench.bag("0")
    bench.hand(ANNA, "card/one", "card/find")
    bench.run(skill_tests.perform(bench.game, standing(bench, 3)), ...)
    assert bench.open is not None
    of_anna = bench.open.prompts[0].options
    assert [(one.text.subject, one.text.params, one.group) for one in of_anna] == [
        ("choice/commit_vain", ("card/find", 100), outcomes.SLIGHT),
        ("choice/commit_vain", ("card/one", 100), outcomes.VAIN),
        ("choice/pass", (), ""),
    ]


@pytest.mark.parametrize(("tokens", "group"), [(9, ""), (15, outcomes.SLIGHT)])
def test_a_commit_that_adds_less_than_ten_percent_is_slight(tokens: int, group: str) -> None:
    bench = Bench(WORLD)
    bench.bag("-1", *["0"] * tokens)
    bench.hand(ANNA, "card/one")
    bench.run(skill_tests.perform(bench.game, standing(bench, 3)), ...)
    assert bench.open is not None
    (only, _) = bench.open.prompts[0].options
    assert (only.text.subject, only.group) == ("choice/commit", group)


@pytest.mark.issue(42)
def test_a_skill_for_another_kind_of_test_is_a_commit_in_vain() -> None:
    bench = Bench(WORLD)
    bench.bag("0")
    bench.hand(ANNA, "card/hand")
    bench.run(skill_tests.perform(bench.game, standing(bench, 3)), ...)
    assert bench.open is not None
    (only, _) = bench.open.prompts[0].options
    assert (only.text.params, only.group) == (("card/hand", 100), outcomes.VAIN)


@pytest.mark.issue(42)
@pytest.mark.parametrize(("difficulty", "group"), [(3, outcomes.VAIN), (4, "")])
def test_what_only_adds_to_the_skill_is_vain_where_it_raises_no_chance(
    difficulty: int, group: str
) -> None:
    bench = Bench(WORLD)
    bench.bag("0", "-9")
    bench.lay("card/torch", Zone.PLAY, ANNA)
    bench.lay("card/brand", Zone.PLAY, ANNA)
    bench.run(skill_tests.perform(bench.game, standing(bench, difficulty)), ...)
    assert bench.open is not None
    of_anna = bench.open.prompts[0].options
    assert {one.points[0].piece: one.group for one in of_anna if one.points} == {
        bench.piece("card/torch"): group,
        bench.piece("card/brand"): "",
    }


@pytest.mark.issue(42)
def test_what_could_as_well_be_used_at_another_time_is_vain_in_a_test() -> None:
    bench = Bench(WORLD)
    bench.bag("0", "-9")
    bench.lay("card/salve", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/hunch", "card/line")
    bench.tokens_on(bench.own(ANNA), horror=1)
    bench.tokens_on(bench.game.table.here(ANNA), clue=1)
    bench.run(skill_tests.perform(bench.game, standing(bench, 4)), ...)
    assert bench.open is not None
    *of_anna, _ = bench.open.prompts[0].options
    assert [one.group for one in of_anna] == [outcomes.VAIN] * 3


@pytest.mark.issue(42)
def test_the_windows_before_the_token_say_what_the_test_stands_at() -> None:
    bench = Bench(WORLD)
    bench.bag("0", "-9")
    bench.lay("card/brand", Zone.PLAY, ANNA)
    bench.run(skill_tests.perform(bench.game, standing(bench, 3)), "choice/pass", ...)
    asked = [next(iter(ask.prompts.values())).prompt for ask in bench.asked]
    assert [(one.subject, one.params[:4]) for one in asked] == [
        ("ask/window_before", (ANNA, 3, 3, 50)),
        ("ask/window_token", (ANNA, 3, 3, 50)),
    ]


@pytest.mark.rule("C-AUTO-1", "C-AUTO-13")
def test_a_result_that_is_settled_has_certain_odds() -> None:
    bench = Bench(WORLD)
    plan = standing(bench, 6)
    plan.automatic = True
    assert odds.odds(bench.game, plan) == odds.WHOLE
    plan.automatic = False
    assert odds.odds(bench.game, plan) == 0


@pytest.mark.rule("C-BBAG-12")
def test_with_an_empty_bag_the_value_alone_decides() -> None:
    bench = Bench(WORLD)
    bench.bag()
    assert odds.odds(bench.game, standing(bench, 3)) == odds.WHOLE
    assert odds.odds(bench.game, standing(bench, 4)) == 0


def test_a_large_bag_of_chains_takes_no_long_time() -> None:
    bench = Bench(WORLD)
    bench.bag(*["bless"] * 10, *["curse"] * 10, *["s1"] * 3, *map(str, range(-6, 2)))
    whole = sum(odds.token_sums(bench.game, ANNA).values())
    assert whole == 1


def test_the_odds_change_nothing() -> None:
    bench = Bench(WORLD, (ANNA, BEN))
    bench.hand(BEN, "card/one")
    before, length = bench.game_table, len(bench.log)
    (handle,) = before.piles[hand_of(BEN)]
    odds.with_card(bench.game, standing(bench, 4), BEN, handle)
    assert bench.game_table is before
    assert bench.game.table is before
    assert len(bench.log) == length


def committed_odds(game: Play, plan: Plan, who: str, handle: str) -> int:
    """Return the odds on a table on which an investigator has committed a card."""
    table, piece = game.table.new_piece()
    card = Card(piece, skill_tests.code_of(game, handle), Place(Zone.COMMITTED, who), owner=who)
    return odds.odds(as_of(game, table.with_new_card(card)), plan)


@pytest.mark.parametrize("scenario", ["casebook/one", "casebook/marsh"])
def test_the_odds_with_a_card_are_those_once_it_is_committed(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_card, compared = odds.with_card, list[bool]()

    def both(game: Play, plan: Plan, who: str, handle: str) -> int:
        found = with_card(game, plan, who, handle)
        compared.append(found == committed_odds(game, plan, who, handle))
        return found

    monkeypatch.setattr(odds, "with_card", both)
    play(3, scenario=scenario)
    assert len(compared) > 20  # questions of one game
    assert all(compared)


COUNTED = """
- {id: card/plain, type: asset, icons: [combat, combat]}
- id: card/counter
  type: asset
  abilities:
  - {does: constant, gives: [skill: {stat: combat, by: {n: 1, per: icons}}]}
"""
MORE_ICONS = """
- {id: card/plain, type: asset, icons: [combat, combat]}
- id: card/giver
  type: asset
  abilities:
  - {does: constant, gives: [icons: {of: {types: [asset]}, by: 3}]}
"""


@pytest.mark.rule("C-COMMIT-5")
@pytest.mark.parametrize(("cards", "laid"), [(COUNTED, "counter"), (MORE_ICONS, "giver")])
def test_the_odds_with_a_card_know_what_counts_or_gives_icons(cards: str, laid: str) -> None:
    bench = Bench(content_of(players=cards))
    bench.bag("0", "-1", "-2", "-3", "-4", "-5")
    bench.lay(f"card/{laid}", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/plain")
    bench.game.emit(BeginningOfTest(ANNA, Skill.COMBAT, 6, ANNA, "", ""))
    (handle,) = bench.game_table.piles[hand_of(ANNA)]
    plan = standing(bench, 6)
    found = odds.with_card(bench.game, plan, ANNA, handle)
    assert found == committed_odds(bench.game, plan, ANNA, handle)
    assert found > odds.odds(bench.game, plan)
