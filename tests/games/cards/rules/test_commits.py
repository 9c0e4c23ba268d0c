"""Committing cards to skill tests. Sections 1.9 and 2.7."""

from typing import Any

import pytest

from protocol.common.text import Text
from protocol.games.cards.events import Moved, Told
from protocol.games.cards.events import TestStep as StepOfTest
from protocol.games.cards.table import Place, hand_of
from protocol.games.cards.words import Skill, Token, Zone
from protocol.values import evolve
from server.kernel.asks import Option
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, content_of

PLAYERS = """
- {id: card/card, type: skill, icons: []}
- {id: card/int, type: skill, icons: [intellect]}
- {id: card/will, type: skill, icons: [willpower]}
- {id: card/wild, type: skill, icons: [wild, wild]}
- id: card/k1
  type: skill
  icons: [willpower]
  abilities:
  - does: success
    zone: committed
    effect: [draw: {number: 1}]
- id: card/k2
  type: skill
  icons: [willpower]
  most_committed: 1
  abilities:
  - does: success
    zone: committed
    effect: [discover: {number: 1, at: target, who: tester}]
- id: card/step
  type: event
  cost: 0
  keywords: [fast]
  abilities:
  - does: play
    effect: [move: {to: {choose: {of: {types: [location], where: beside}}}}]
- id: card/mind
  type: asset
  abilities:
  - does: action
    deed: [investigate]
    effect: [investigate: {skill: willpower}]
- id: card/leader
  type: asset
  abilities:
  - does: constant
    gives: [commit: {number: 1}]
- id: card/coat
  type: asset
  cost: 3
  icons: [combat]
  abilities:
  - does: constant
    gives: [skill: {stat: combat, by: 4}]
  - does: constant
    zone: committed
    gives: [skill: {stat: combat, by: 4}]
  - does: success
    zone: committed
    effect: [resources: 9]
- id: card/focus
  type: skill
  icons: [combat]
  abilities:
  - does: constant
    zone: committed
    gives: [skill: {stat: combat, by: 2}]
- id: card/book
  type: asset
  abilities:
  - does: constant
    gives: [commit: {beneath: true}]
- id: card/recall
  type: asset
  abilities:
  - does: reaction
    on: {after: committed, who: you, card: {types: [skill]}}
    effect: [send: {to: hand, card: that}]
- id: card/banish
  type: asset
  abilities:
  - does: reaction
    on: {after: committed, who: you, card: {types: [skill]}}
    effect: [send: {to: nowhere, card: that}]
- id: card/badge
  type: asset
  abilities:
  - does: reaction
    on: {after: committed, who: you, card: {types: [skill]}}
    limit: {per: round}
    effect:
    - lasting: {until: test, card: that, gives: [icons: {of: {types: [skill]}}]}
- id: card/tally
  type: asset
  abilities:
  - does: forced
    on: {after: test-succeeds, who: you}
    effect: [resources: {number: {n: 1, per: icons}}]
"""
WORLD = content_of(
    players=PLAYERS,
    investigators="""
- {id: card/ben, class: lens, willpower: 4, intellect: 2, combat: 3, agility: 3, health: 7,
   sanity: 7, unique: true}
""",
    locations="""
- id: card/l1
  symbol: s1
  connects: [s2]
  face: {id: card/l1-seen, shroud: 3}
""",
)

PASS = "choice/pass"  # an option


def friends() -> Bench:
    """Return Ben's turn at L1 with 4 clues; he tests willpower in place of intellect."""
    bench = Bench(WORLD, (ANNA, BEN, CARA))
    bench.tokens_on(bench.piece("card/l1"), clue=4)
    bench.reveal("card/l2")
    bench.lay("card/mind", Zone.PLAY, BEN)
    bench.set_active(BEN)
    bench.hand(ANNA, "card/k1", "card/int", "card/step")
    bench.hand(BEN, "card/k2", "card/will")
    bench.hand(CARA, "card/k2")
    bench.deck(ANNA, "card/card")
    bench.bag("-2")
    return bench


def value(bench: Bench) -> int:
    (step,) = [one for one in bench.happened(StepOfTest) if one.step == 6]
    return int(step.value or 0)


@pytest.mark.rule(
    "C-EX-121",
    *("C-BTEST-4", "C-BTEST-16", "C-BTEST-18", "C-BTEST-19", "C-BTEST-20", "C-BTEST-22"),
    *("C-BTEST-23", "C-BTEST-25", "C-BTEST-26", "C-COMMIT-1", "C-COMMIT-2", "C-DECIDE-60"),
    *("C-EX-33", "C-BABIL-1"),
)
def test_friends_commit_and_each_result_is_for_whom_it_is() -> None:
    bench = friends()
    mind = "card/mind"
    bench.act(mind, ...)
    # The window before the commits: Anna could play her event.
    bench = friends()
    bench.act(mind, {0: "choice/pass"}, ...)
    assert bench.open is not None
    seats = {seat: _cards(prompt) for seat, prompt in bench.open.prompts.items()}
    assert seats == {0: ["card/k1"], 1: ["card/k2", "card/will"], 2: ["card/k2"]}

    bench = friends()
    bench.act(mind, {0: "choice/pass"}, {2: "card/k2"}, ...)
    assert bench.open is not None
    assert sorted(bench.open.prompts) == [0, 1]
    (refused,) = bench.open.prompts[1].refused
    assert (refused.text.params[0], refused.rule) == ("card/k2", "C-BTEST-19")

    bench = friends()
    bench.act(
        *(mind, {0: "choice/pass"}, {2: "card/k2"}, {1: "card/will"}, {0: "card/k1"}),
        *({0: "card/step"}, "card/k1", "result/investigate"),
    )
    assert value(bench) == 4 + 3 - 2
    assert bench.at(ANNA) == "card/l2"
    assert bench.in_hand(ANNA) == ["card/card", "card/int"]
    assert bench.count(BEN, Token.CLUE) == 2
    assert bench.count("card/l1", Token.CLUE) == 2
    assert [bench.discarded(who) for who in (BEN, CARA)] == [["card/will"], ["card/k2"]]
    assert bench.discarded(ANNA) == ["card/step", "card/k1"]


@pytest.mark.rule("C-EX-121", "C-DECIDE-44", "C-DECIDE-60")
@pytest.mark.parametrize("seats", [(0, 1), (1, 0)])
def test_two_who_commit_at_the_same_moment_both_do_in_either_order(seats: tuple[int, int]) -> None:
    bench = friends()
    cards = ("card/k1", "card/will")
    first, second = ({seat: cards[seat]} for seat in seats)
    bench.act("card/mind", {0: PASS}, first, second, ...)
    committed = bench.game_table.committed()
    assert [card.code for card in committed] == [cards[seat] for seat in seats]


@pytest.mark.rule("C-EX-121", "C-DECIDE-5", "C-DECIDE-60")
def test_of_two_commits_that_are_opened_together_the_second_is_asked_for_again() -> None:
    bench = friends()
    strict = evolve(bench.table.room.settings, strict_windows=True)
    bench.table = bench.table.with_room(settings=strict)
    both = {0: "card/k1", 1: "card/will"}
    bench.act({1: "card/mind"}, {}, both, {1: "card/will"}, ...)
    assert [card.code for card in bench.game_table.committed()] == ["card/k1", "card/will"]


@pytest.mark.rule("C-EX-121", "C-BTEST-24")
def test_a_shroud_that_is_lowered_below_zero_is_a_difficulty_of_zero() -> None:
    haze = """
- id: card/haze
  type: event
  cost: 0
  abilities:
  - does: play
    effect:
    - lasting:
        until: round
        card: here
        gives: [stat: {of: {types: [location]}, stat: shroud, by: -4}]
"""
    bench = Bench(content_of(players=haze))
    bench.hand(ANNA, "card/haze")
    bench.act("card/haze")
    bench.bag("-8")
    bench.act("choice/investigate")
    (sixth,) = [one for one in bench.happened(StepOfTest) if one.step == 6]
    assert (sixth.value, sixth.difficulty, sixth.has_succeeded) == (0, 0, True)


def _cards(prompt: object) -> list[str]:
    options = prompt.options  # type: ignore[attr-defined]
    return sorted(str(o.text.params[0]) for o in options if o.text.params)


@pytest.mark.rule("C-BTEST-4", "C-EX-121")
@pytest.mark.parametrize(("cards", "committed"), [((), 1), (("card/leader",), 2)])
def test_others_may_commit_one_card_or_as_many_as_a_card_says(
    cards: tuple[str, ...], committed: int
) -> None:
    bench = Bench(WORLD, (ANNA, BEN))
    for card in cards:
        bench.lay(card, Zone.PLAY, BEN)
    bench.hand(BEN, "card/wild", "card/wild", "card/wild")

    def topmost(option: Option[Any]) -> bool:
        handles = bench.game_table.piles[hand_of(BEN)]
        return any(point.piece == handles[0] for point in option.points)

    bench.test(*[topmost] * committed, difficulty=9)
    assert len(bench.in_hand(BEN)) == 3 - committed


@pytest.mark.rule("C-BTEST-4")
def test_who_is_elsewhere_commits_nothing() -> None:
    bench = Bench(WORLD, (ANNA, BEN))
    bench.walk(BEN, "card/l2")
    bench.hand(BEN, "card/wild")
    bench.test()
    assert bench.asked == []


@pytest.mark.rule("C-BTEST-3", "C-BTEST-25", "C-BTEST-5")
def test_only_cards_with_a_matching_icon_are_offered_and_cost_nothing() -> None:
    bench = Bench(WORLD)
    bench.hand(ANNA, "card/int", "card/will", "card/coat", "card/card")
    bench.test("card/coat", skill=Skill.COMBAT)
    assert bench.count(ANNA, Token.RESOURCE) == 5
    assert bench.who(ANNA).actions == 3
    (question,) = bench.asked
    assert _cards(question.prompts[0]) == ["card/coat"]


@pytest.mark.rule("C-BTEST-6")
def test_a_committed_asset_gives_its_icons_and_nothing_else() -> None:
    bench = Bench(WORLD)
    bench.hand(ANNA, "card/coat")
    bench.test("card/coat")
    assert value(bench) == 4
    assert bench.count(ANNA, Token.RESOURCE) == 5
    assert bench.discarded(ANNA) == ["card/coat"]


@pytest.mark.rule("C-COMMIT-3", "C-COMMIT-4")
def test_the_text_of_a_committed_skill_card_works_while_it_is_committed() -> None:
    bench = Bench(WORLD)
    bench.hand(ANNA, "card/focus")
    bench.test("card/focus")
    assert value(bench) == 3 + 1 + 2
    assert bench.game_table.lying(Zone.COMMITTED, ANNA) == ()


@pytest.mark.rule(
    *("C-EX-91", "C-WILD-1", "C-WILD-2", "C-WILD-3", "C-BTEST-1", "C-BTEST-9", "C-BTEST-25")
)
def test_wild_icons_count_as_matching_icons() -> None:
    bench = Bench(WORLD)
    bench.lay("card/tally", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/wild")
    bench.test("card/wild", skill=Skill.AGILITY)
    assert value(bench) == 5
    assert bench.count(ANNA, Token.RESOURCE) == 7


@pytest.mark.rule("C-BTEST-14", "C-BTEST-27")
def test_committed_cards_go_to_their_owners_discard_piles() -> None:
    bench = Bench(WORLD, (ANNA, BEN))
    bench.hand(ANNA, "card/wild")
    bench.hand(BEN, "card/wild")
    bench.test({0: "card/wild"}, "card/wild")
    assert [bench.discarded(who) for who in (ANNA, BEN)] == [["card/wild"], ["card/wild"]]
    moved = bench.happened(Moved)
    assert [one.to for one in moved] == [Place(Zone.DISCARD, who) for who in (ANNA, BEN)]


def with_book(*cards: str) -> Bench:
    """Return a bench on which a card lies beneath another, from where it can be committed."""
    bench = Bench(WORLD)
    bench.deck(ANNA)
    book = bench.lay("card/book", Zone.PLAY, ANNA)
    for card in cards:
        bench.lay(card, Zone.PLAY, ANNA)
    bench.lay("card/wild", Zone.BENEATH, book, owner=ANNA)
    return bench


@pytest.mark.rule("C-EX-63", "C-COMMIT-8", "C-ZONE-1")
def test_a_card_committed_from_beneath_another_goes_back_there() -> None:
    bench = with_book()
    bench.test("card/wild")
    assert value(bench) == 5
    assert bench.card("card/wild").at == Place(Zone.BENEATH, bench.piece("card/book"))
    assert bench.discarded(ANNA) == []


@pytest.mark.rule("C-EX-63", "C-COMMIT-7")
def test_a_card_that_an_effect_sends_to_the_hand_during_the_test_goes_there() -> None:
    bench = with_book("card/recall")
    bench.test("card/wild", "card/recall", "choice/pass")
    assert bench.in_hand(ANNA) == ["card/wild"]


@pytest.mark.rule("C-COMMIT-7")
def test_a_card_that_leaves_the_game_during_the_test_does_not_go_back_at_its_end() -> None:
    bench = with_book("card/banish")
    bench.test("card/wild", "card/banish")
    assert bench.card("card/wild").at.zone is Zone.REMOVED


NAMING = content_of(
    players=f"""{PLAYERS}
- id: card/compass
  type: asset
  abilities:
  - does: free
    limit: {{per: test}}
    cost: [icon: {{yours: true}}]
    effect:
    - if: {{that: {{icon: agility}}, do: [resources: 2]}}
    - if: {{that: {{icon: willpower}}, do: [resources: 1]}}
"""
)


def naming(*hand: str, people: tuple[str, ...] = (ANNA,)) -> Bench:
    """Return a bench on which Anna can name an icon of her own committed cards."""
    bench = Bench(NAMING, people)
    bench.lay("card/compass", Zone.PLAY, ANNA)
    bench.hand(people[-1], *hand)
    return bench


@pytest.mark.rule("C-EX-91", "C-WILD-4")
@pytest.mark.parametrize(("named", "resources"), [("agility", 7), ("willpower", 6), ("combat", 5)])
def test_what_a_wild_icon_stands_for_is_named_as_an_ability_asks(
    named: str, resources: int
) -> None:
    bench = naming("card/wild")

    def name(option: Option[Any]) -> bool:
        return option.text == Text("choice/wild_icon", ("card/wild", f"skill/{named}"))

    bench.test("card/wild", "card/compass", name, skill=Skill.AGILITY)
    assert bench.count(ANNA, Token.RESOURCE) == resources
    said = Told(Text("notice/icon", (ANNA, f"skill/{named}")))
    assert said in bench.happened(Told)


@pytest.mark.rule("C-WILD-4", "C-BABIL-8")
def test_an_icon_is_named_only_where_it_would_change_something() -> None:
    """The ability asks about agility and willpower."""
    bench = naming("card/k1")
    bench.test("card/k1", ..., skill=Skill.WILLPOWER)
    assert bench.choices("choice/use") == ["card/compass"]

    bench = naming("card/coat")
    bench.test("card/coat", skill=Skill.COMBAT)


@pytest.mark.rule("C-WILD-4", "C-COMMIT-1")
def test_an_icon_of_yours_is_on_a_card_that_you_committed() -> None:
    bench = naming("card/wild", people=(ANNA, BEN))
    bench.test({1: "card/wild"}, skill=Skill.AGILITY)


@pytest.mark.rule("C-WILD-4", "C-BTEST-1")
def test_an_icon_that_is_not_wild_stands_for_itself() -> None:
    bench = naming("card/k1")
    bench.test("card/k1", "card/compass", ..., skill=Skill.WILLPOWER)
    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    assert [one.text for one in prompt.options] == [
        Text("choice/icon", ("card/k1", "skill/willpower"))
    ]


@pytest.mark.rule("C-WILD-4", "C-COMMIT-5")
def test_a_wild_icon_that_a_card_was_given_stands_for_any_skill() -> None:
    bench = naming("card/k1")
    bench.lay("card/badge", Zone.PLAY, ANNA)
    bench.test("card/k1", "card/badge", "card/compass", ..., skill=Skill.WILLPOWER)
    assert bench.choices("choice/icon") == ["card/k1"]
    assert bench.choices("choice/wild_icon") == ["card/k1"] * len(Skill)


@pytest.mark.rule("C-COMMIT-2")
@pytest.mark.parametrize(("deed", "damage"), [("fight", 2), ("evade", 1)])
def test_what_a_friends_skill_card_adds_to_the_result_is_the_testers(
    deed: str, damage: int
) -> None:
    players = f"""
- id: card/might
  type: skill
  icons: [combat]
  abilities: [{{does: constant, zone: committed, gives: [{{result: {{deed: {deed}, by: 1}}}}]}}]
"""
    enemies = "- {id: card/rat, fight: 3, health: 4, evade: 3}"
    bench = Bench(content_of(players=players, enemies=enemies), (ANNA, BEN))
    bench.engage("card/rat", ANNA)
    bench.hand(BEN, "card/might")
    bench.act("choice/fight", "card/might")
    assert bench.card("card/rat").count(Token.DAMAGE) == damage


@pytest.mark.rule("C-EX-64", "C-COMMIT-3", "C-COMMIT-5", "C-COMMIT-6", "C-BTEST-15")
def test_an_icon_that_a_committed_card_gains_is_gone_in_the_next_test() -> None:
    bench = with_book("card/badge")
    bench.test("card/wild", "card/badge")
    assert value(bench) == 3 + 2 + 1
    bench.test("card/wild")
    assert [one.value for one in bench.happened(StepOfTest) if one.step == 6] == [6, 5]


@pytest.mark.rule("C-COMMIT-8")
def test_nothing_is_committed_from_beneath_a_card_that_is_gone() -> None:
    bench = with_book()
    bench.emit(Moved((bench.piece("card/book"),), Place(Zone.DISCARD, ANNA)))
    bench.test()
    assert bench.asked == []
