"""Hidden cards, and weaknesses in hands. Sections 1.17 and 2.16."""

import pytest

from protocol.common.events import Shuffled
from protocol.games.cards import events
from protocol.games.cards.words import Skill, Token, Zone
from server.games.cards.rules import (
    encounter,
    hands,
    rounds,
    skill_tests,
    story,
    turns,
    values,
    windows,
)
from server.games.cards.rules.play import Source
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of

PLAYERS = """
- {id: card/plan, type: event, cost: 1}
- {id: card/tune, type: event, cost: 1}
- {id: card/coat, type: asset, cost: 1}
- id: card/own-doubt
  type: event
  weakness: true
"""
TREACHERIES = """
- id: card/whisper
  keywords: [hidden, peril]
  abilities:
  - {does: constant, gives: [{skill: {stat: willpower, by: -1}}]}
  - {does: action, effect: [{discard: this}]}
  - {does: forced, on: {after: turn-ends, who: you}, effect: [{harm: {horror: 1}}]}
- id: card/purge
  abilities:
  - does: revelation
    effect:
    - either:
        ways:
        - [{discard_hand: {all: true, who: each, of: {types: [event]}}}]
        - [{discard_hand: {all: true, who: each, of: {types: [asset]}}}]
- id: card/gust
  abilities:
  - {does: revelation, effect: [{discard_hand: {number: 9, at_random: true}}]}
"""
CONTENT = content_of(players=PLAYERS, treacheries=TREACHERIES)


def told_of(bench: Bench, code: str, seat: int = 1) -> list[str]:
    """Return where a seat that may not know a card is told of it: records and questions."""
    records = zip(bench.stored, bench.log, strict=True)
    found = [event.tag for stored, event in records if code.encode() in stored.public]
    found += [asked.rule for asked in bench.asked if code in repr(asked.about)]
    found += [asked.rule for asked in bench.asked if code in repr(asked.prompts.get(seat))]
    return found + [repr(chain) for chain in bench.chains if code in repr(chain)]


def _drawn() -> Bench:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(ANNA, "card/plan")
    bench.deck("encounter", "card/whisper", "card/gust")
    bench.run(encounter.draw(bench.game, ANNA))
    return bench


@pytest.mark.rule("C-EX-123", "C-BKEY-5", "C-BKEY-7", "C-BKEY-25", "C-DECIDE-29", "C-SECRET-8")
def test_a_hidden_card_goes_unseen_into_the_hand_of_the_drawer() -> None:
    bench = _drawn()
    assert bench.in_hand(ANNA) == ["card/plan", "card/whisper"]
    (drew,) = bench.happened(events.Drew)
    assert (drew.investigator, drew.pile) == (ANNA, "encounter")
    assert bench.happened(Shuffled)[-1].knowers == (0,)
    assert bench.happened(events.Opened) == []


@pytest.mark.rule("C-EX-123", "C-BKEY-6")
def test_a_hidden_card_works_as_if_in_the_threat_area() -> None:
    bench = _drawn()
    assert values.skill(bench.game, ANNA, Skill.WILLPOWER) == 2
    assert values.skill(bench.game, BEN, Skill.WILLPOWER) == 3
    bench.act("choice/end_turn")
    assert bench.count(ANNA, Token.HORROR) == 1


@pytest.mark.rule("C-HID-1", "C-BKEY-6")
def test_a_hidden_card_is_discarded_as_it_says_itself() -> None:
    bench = _drawn()
    bench.act("card/whisper")
    assert bench.in_hand(ANNA) == ["card/plan"]
    assert bench.discarded("encounter") == ["card/whisper"]
    assert bench.who(ANNA).actions == 2


@pytest.mark.rule("C-BKEY-6", "C-BKEY-7")
def test_nobody_else_can_use_a_hidden_card() -> None:
    bench = _drawn()
    bench.set_active(BEN)
    bench.run(rounds.act(bench.game, BEN), ...)
    assert "choice/use" not in bench.offered()


@pytest.mark.rule("C-BKEY-7", "C-BKEY-25", "C-SECRET-2")
def test_using_a_hidden_card_does_not_say_which_it_is() -> None:
    bench = _drawn()
    bench.act("choice/end_turn")
    assert [used.investigator for used in bench.happened(events.UsedUnseen)] == [ANNA]
    assert told_of(bench, "card/whisper") == []


@pytest.mark.rule("C-HID-2", "C-BWEAK-2", "C-BUPK-5")
def test_neither_hidden_cards_nor_weaknesses_are_chosen_to_be_discarded() -> None:
    bench = Bench(CONTENT)
    bench.hand(ANNA, "card/whisper", "card/own-doubt", "card/plan")
    assert bench.run(hands.discard(bench.game, ANNA, 3, Source("", "", ANNA))) == 1
    assert bench.in_hand(ANNA) == ["card/own-doubt", "card/whisper"]


@pytest.mark.rule("C-EX-127", "C-BWEAK-2", "C-COST-1")
def test_a_weakness_in_hand_pays_no_cost() -> None:
    forge = """
- id: card/forge
  type: asset
  cost: 1
  abilities: [{does: action, cost: [discard_hand: {}], effect: [{resources: 1}]}]
"""
    bench = Bench(content_of(players=PLAYERS + forge))
    bench.lay("card/forge", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/own-doubt", "card/plan", "card/tune")
    bench.act("card/forge", ...)
    assert sorted(bench.choices("choice/card")) == ["card/plan", "card/tune"]
    bench.hand(ANNA, "card/own-doubt")
    bench.act(...)
    assert bench.choices("choice/use") == []


@pytest.mark.rule("C-EX-39", "C-WEAK-2", "C-WEAK-3")
def test_discarding_all_cards_of_a_type_takes_weaknesses_too() -> None:
    bench = Bench(CONTENT, (ANNA, BEN))
    bench.hand(ANNA, "card/plan", "card/tune", "card/own-doubt", "card/coat")
    bench.hand(BEN, "card/tune", "card/coat")
    bench.deck("encounter", "card/purge", "card/gust")
    bench.run(encounter.draw(bench.game, ANNA), 0)
    assert sorted(bench.discarded(ANNA)) == ["card/own-doubt", "card/plan", "card/tune"]
    assert bench.in_hand(ANNA) == ["card/coat"]
    assert (bench.discarded(BEN), bench.in_hand(BEN)) == (["card/tune"], ["card/coat"])


@pytest.mark.rule("C-WEAK-2", "C-HID-2")
def test_a_random_discard_may_take_a_weakness_and_never_a_hidden_card() -> None:
    bench = Bench(CONTENT)
    bench.hand(ANNA, "card/whisper", "card/own-doubt", "card/plan")
    bench.deck("encounter", "card/gust", "card/gust")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.in_hand(ANNA) == ["card/whisper"]


# What a hidden card begins --------------------------------------------------------------------


def _holding(abilities: str) -> Bench:
    """Return a game in which Anna holds a hidden card and Ben stands beside her."""
    hidden = f"- id: card/secret\n  keywords: [hidden, peril]\n  abilities: [{abilities}]\n"
    bench = Bench(content_of(players=PLAYERS, treacheries=hidden), (ANNA, BEN))
    bench.hand(ANNA, "card/plan", "card/secret")
    bench.hand(BEN, "card/plan", "card/tune")
    return bench


STRONGER = "gives: [skill: {stat: combat, by: 1}]"
EACH = "either: {who: each, ways: [[resources: 1], [harm: {horror: 1}]]}"


@pytest.mark.rule("C-SECRET-2", "C-BKEY-7", "C-BABIL-20", "C-BABIL-21")
@pytest.mark.parametrize(
    ("effect", "answers"),
    [
        (f"lasting: {{until: round, {STRONGER}}}", ()),
        ("later: {on: {after: turn-ends}, do: [resources: 1]}", ()),
        (EACH, (0, 1)),
        ("may: {who: each, do: [resources: 1]}", (0, 1)),
        ("test: {skill: combat, difficulty: 1}", ()),
        ("discard_hand: {number: 1, who: each}", (0,)),
        ("lasting: {until: round, gives: [no_action: fight]}", ()),
        (f"for: {{who: each, do: [lasting: {{until: round, {STRONGER}}}]}}", ()),
        ("for: {who: each, do: [may: {do: [resources: 1]}]}", (0, 0)),
        ("for: {who: each, do: [discard: this]}", ()),
    ],
)
def test_what_a_hidden_card_begins_does_not_name_it(effect: str, answers: tuple[int, ...]) -> None:
    bench = _holding(f"{{does: free, limit: {{per: round, is_max: true}}, effect: [{effect}]}}")
    bench.give_tokens("0")

    bench.run(windows.player_window(bench.game, "turn"), "choice/use", *answers)
    bench.act("choice/end_turn")

    is_shown = "discard" in effect and "this" in effect
    assert told_of(bench, "card/secret") == (["cards/opened"] if is_shown else [])
    assert len(bench.happened(events.UsedUnseen)) == 1


@pytest.mark.rule("C-SECRET-2", "C-DEFER-2", "C-BKEY-7")
def test_a_test_of_a_hidden_card_that_waits_does_not_name_it() -> None:
    bench = _holding(
        "{does: free, limit: {per: round}, effect: [test: {skill: combat, difficulty: 1}]}"
    )
    bench.give_tokens("0", "0")

    bench.test("choice/use")
    bench.run(skill_tests.take_up(bench.game))

    assert len(bench.happened(events.TestPutOff)) == 1
    assert bench.game_table.put_off == ()
    assert told_of(bench, "card/secret") == []


@pytest.mark.rule("C-SECRET-2", "C-BKEY-7", "C-BABIL-30", "C-BACTS-2")
@pytest.mark.parametrize(
    ("ability", "notice"),
    [
        ("{does: free, cost: [group_clues: 2], effect: [resources: 1]}", "notice/too_few_clues"),
        ("{does: forced, on: {when: doom-placed}, effect: [cancel: true]}", "notice/cancelled"),
    ],
)
def test_a_notice_about_a_hidden_card_does_not_name_it(ability: str, notice: str) -> None:
    bench = _holding(ability)
    for who in (ANNA, BEN):
        bench.tokens_on(bench.own(who), clue=1)

    if "clues" in notice:
        answers = ("choice/use", lambda o: o.text.params == (0,), "choice/pass")
        bench.run(windows.player_window(bench.game, "turn"), *answers)
    else:
        bench.run(story.place_doom(bench.game, bench.piece("card/agenda"), 1))

    assert [one.text.subject for one in bench.happened(events.Told)] == [notice]
    assert told_of(bench, "card/secret") == []


@pytest.mark.rule("C-SECRET-2", "C-BKEY-6", "C-XACT-1")
def test_an_additional_action_of_a_hidden_card_does_not_name_it() -> None:
    bench = _holding("{does: constant, gives: [extra_action: {only: [move]}]}")

    bench.run(turns.begin(bench.game, ANNA))

    (extra,) = bench.who(ANNA).extra
    assert extra.deeds == ("move",)
    assert told_of(bench, "card/secret") == []


@pytest.mark.rule("C-BABIL-16", "C-BABIL-17", "C-SECRET-2")
@pytest.mark.parametrize("limit", ["{per: round}", "{per: round, is_max: true}"])
def test_a_limit_of_a_hidden_card_counts_and_does_not_name_it(limit: str) -> None:
    ability = f"{{does: free, limit: {limit}, effect: [resources: 1]}}"
    more = f"- id: card/other\n  keywords: [hidden, peril]\n  abilities: [{ability}]\n"
    bench = Bench(content_of(treacheries=more + more.replace("other", "secret")))
    bench.hand(ANNA, "card/secret", "card/other")
    uses = ("card/secret", "card/other")

    bench.run(windows.player_window(bench.game, "turn"), *uses)
    bench.emit(events.PeriodEnded(("round",)))
    bench.run(windows.player_window(bench.game, "turn"), *uses)

    assert bench.count(ANNA, Token.RESOURCE) == 9
    assert told_of(bench, "card/secret") == []
