"""Timing and windows: sequences, Forced abilities, reactions. Sections 1.2 to 1.5, 1.12, 2.15."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from content.games.cards.schema.kinds import Stat
from content.games.cards.schema.occurrences import Happening, Moment
from protocol.common.asks import Settle
from protocol.common.events import PassesLapsed
from protocol.games.cards import events
from protocol.games.cards.events import DelayedCame, Moved, Tokens, Told, Used
from protocol.games.cards.table import ENCOUNTER, Place
from protocol.games.cards.words import Phase, Skill, Token, Until, Zone
from protocol.values import evolve
from server.games.cards.rules import (
    actions,
    answers,
    effects,
    encounter,
    enemies,
    harm,
    playing,
    rounds,
    timing,
    values,
    windows,
    zones,
)
from server.games.cards.rules.play import Occurrence, nesting
from server.kernel.asks import Option
from server.kernel.held import Holding
from tests.games.cards.rules.bench import Bench, named
from tests.games.cards.rules.worlds import ANNA, BEN, CARA, DAN, content_of

PASS = "choice/pass"  # an option


def enemy(name: str, *, health: int = 3, more: str = "") -> str:
    """Return the YAML of an enemy."""
    return f"- {{id: card/{name}, fight: 3, health: {health}, evade: 3{more}}}\n"


def card(name: str, *abilities: str, type_: str = "asset", more: str = "") -> str:
    """Return the YAML of a card of players, with abilities in YAML of one line each."""
    does = ", ".join(abilities)
    return f"- {{id: card/{name}, type: {type_}, cost: 0, abilities: [{does}]{more}}}\n"


def treachery(name: str, *abilities: str) -> str:
    """Return the YAML of a treachery."""
    return f"- {{id: card/{name}, abilities: [{', '.join(abilities)}]}}\n"


def defeat(bench: Bench, *pieces: str, by: str = ANNA) -> Any:
    """Return the rule that deals 9 damage to each of these cards at once."""
    return harm.place(bench.game, [harm.Part(piece, 9) for piece in pieces], "", by=by)


def end_phase(bench: Bench) -> Any:
    """Return the rule by which the phase ends, as far as abilities answer it."""
    return timing.pass_by(
        bench.game, Occurrence(Happening.PHASE_ENDS, phase=bench.game_table.phase)
    )


def used(bench: Bench) -> list[str]:
    """Return the cards whose abilities were used, in order, without their prefix."""
    return [one.code.removeprefix("card/") for one in bench.happened(Used)]


def asked(bench: Bench) -> list[list[int]]:
    """Return the seats that each question was put to."""
    return [sorted(one.prompts) for one in bench.asked]


def offered(bench: Bench) -> dict[int, list[Any]]:
    """Return the texts of the options of the open question by seat, passing left out."""
    assert bench.open is not None
    return {
        seat: [str(o.text) for o in prompt.options if not o.ends]
        for seat, prompt in bench.open.prompts.items()
    }


def on(code: str, piece: str) -> Callable[[Option[Any]], bool]:
    """Return what tells the option to use an ability on what happened to a card."""
    return lambda o: named(o) == code and piece in [at.piece for at in o.points]


def forced(on: str, effect: str, more: str = "") -> str:
    """Return a Forced ability in YAML."""
    return f"{{does: forced, on: {{{on}}}, effect: [{effect}]{more}}}"


def reaction(on: str, effect: str, more: str = "") -> str:
    """Return a reaction in YAML."""
    return f"{{does: reaction, on: {{{on}}}, effect: [{effect}]{more}}}"


GAIN = "{resources: 1}"
AFTER_DEFEAT = "after: defeated, card: {types: [enemy]}"


# The order of moments


@pytest.mark.rule("C-EX-78", "C-TIME-1", "C-TIME-2", "C-NEST-1", "C-DECIDE-3", "C-DECIDE-4")
def test_when_comes_before_at_and_at_before_after() -> None:
    moments = ("after", "at", "when")
    players = "".join(
        card(f"{kind}-{moment}", forced(f"{moment}: {kind}", GAIN))
        for kind in ("defeated", "round-ends")
        for moment in moments
    )
    bench = Bench(content_of(players=players, enemies=enemy("x")))
    for kind in ("defeated", "round-ends"):
        for moment in moments:
            bench.lay(f"card/{kind}-{moment}", Zone.PLAY, ANNA)
    x = bench.engage("card/x", ANNA)
    bench.run(defeat(bench, x))
    bench.run(timing.pass_by(bench.game, Occurrence(Happening.ROUND_ENDS)))
    assert used(bench) == [
        *("defeated-when", "defeated-at", "defeated-after"),
        *("round-ends-when", "round-ends-at", "round-ends-after"),
    ]


@pytest.mark.rule("C-NEST-2", "C-NEST-3", "C-NEST-9", "C-BABIL-14")
def test_when_comes_before_and_after_comes_after_what_happens() -> None:
    players = "".join(
        card(moment, forced(f"{moment}: defeated", GAIN)) for moment in ("when", "after", "would")
    )
    bench = Bench(content_of(players=players, enemies=enemy("x")))
    for moment in ("when", "after", "would"):
        bench.lay(f"card/{moment}", Zone.PLAY, ANNA)
    x = bench.engage("card/x", ANNA)
    bench.run(defeat(bench, x))
    order = [
        one.code.removeprefix("card/") if isinstance(one, Used) else "gone"
        for one in bench.log
        if isinstance(one, Used) or (isinstance(one, Moved) and x in one.pieces)
    ]
    assert order == ["would", "when", "gone", "after"]


def test_the_log_says_of_a_forced_ability_that_nobody_chose_it() -> None:
    players = card("first", forced(AFTER_DEFEAT, GAIN)) + card(
        "second", reaction(AFTER_DEFEAT, GAIN)
    )
    bench = Bench(content_of(players=players, enemies=enemy("x")))
    for name in ("first", "second"):
        bench.lay(f"card/{name}", Zone.PLAY, ANNA)
    bench.run(defeat(bench, bench.engage("card/x", ANNA)), "card/second")

    assert [(one.code, one.is_forced) for one in bench.happened(Used)] == [
        ("card/first", True),
        ("card/second", False),
    ]


@pytest.mark.rule("C-BABIL-13", "C-BABIL-30")
def test_what_is_replaced_does_not_happen_and_nothing_more_answers_it() -> None:
    players = (
        card("shield", forced("would: defeated", "{cancel: true}"))
        + card("when", forced("when: defeated", GAIN))
        + card("after", forced("after: defeated", GAIN))
    )
    bench = Bench(content_of(players=players, enemies=enemy("x")))
    for name in ("shield", "when", "after"):
        bench.lay(f"card/{name}", Zone.PLAY, ANNA)
    x = bench.engage("card/x", ANNA)
    bench.run(defeat(bench, x))
    assert used(bench) == ["shield"]
    assert x in bench.game_table.cards


@pytest.mark.rule("C-BABIL-15")
def test_a_cancelled_occurrence_leaves_costs_paid_and_uses_counted() -> None:
    shield = reaction(
        "when: defeated", "{cancel: true}", ", cost: [{resources: 2}], limit: {per: round}"
    )
    bench = Bench(content_of(players=card("shield", shield), enemies=enemy("x")))
    bench.lay("card/shield", Zone.PLAY, ANNA)
    x = bench.engage("card/x", ANNA)
    bench.run(defeat(bench, x), "card/shield")
    assert x in bench.game_table.cards
    assert bench.count(ANNA, Token.RESOURCE) == 3
    bench.run(defeat(bench, x))
    assert x not in bench.game_table.cards


@pytest.mark.rule("C-BABIL-30")
def test_a_cancelled_occurrence_of_a_group_shifts_nothing_of_the_others() -> None:
    shield = reaction("when: defeated, card: {id: card/x}", "{cancel: true}")
    gain = reaction("when: defeated", GAIN)
    bench = Bench(
        content_of(
            players=card("shield", shield) + card("gain", gain), enemies=enemy("x") + enemy("y")
        )
    )
    bench.lay("card/shield", Zone.PLAY, ANNA)
    bench.lay("card/gain", Zone.PLAY, ANNA)
    x, y = bench.engage("card/x", ANNA), bench.engage("card/y", ANNA)
    # Once it was used on X, and X is cancelled, what was not used on Y is offered still.
    bench.run(
        defeat(bench, x, y),
        on("card/gain", x),
        "card/shield",
        on("card/gain", y),
    )
    assert bench.count(ANNA, Token.RESOURCE) == 7


# Forced abilities


@pytest.mark.rule(
    "C-EX-111", "C-BABIL-2", "C-BABIL-4", "C-BABIL-5", "C-BABIL-6", "C-BABIL-21", "C-DECIDE-4"
)
@pytest.mark.parametrize("resources", [0, 1])
def test_delayed_effects_then_forced_ones_by_the_lead_then_reactions(resources: int) -> None:
    drain = forced(
        "after: defeated, card: {types: [enemy]}, place: {this: true}",
        "{resources: {number: -1, who: at-this}}",
    )
    place = f"""
    - id: card/l1
      symbol: s1
      connects: [s2]
      face: {{id: card/l1-seen, shroud: 2, abilities: [{drain}]}}
    """
    here = "after: defeated, card: {types: [enemy]}, place: {where: here}"
    players = (
        card("charm", forced(here, "{ready: this}"))
        + card("blade", reaction("after: defeated, by: you", "{resources: 2}"))
        + card(
            "plan",
            "{does: play, effect: [{later: {on: {after: defeated, card: {they: true}}, do: "
            "[{draw: {number: 1}}], until: turn, card: {choose: {of: {types: [enemy]}}}}}]}",
            type_="event",
        )
        + card("filler")
    )
    content = content_of(
        players=players,
        locations=place,
        enemies=enemy("x"),
        treacheries=treachery("fear", forced(here, "{harm: {horror: 1}}")),
    )
    bench = Bench(content, (CARA, ANNA, BEN))
    bench.walk(CARA, "card/l2")
    bench.set_active(ANNA)
    x = bench.engage("card/x", ANNA)
    bench.lay("card/charm", Zone.PLAY, BEN)
    bench.lay("card/fear", Zone.THREAT, BEN)
    bench.lay("card/blade", Zone.PLAY, ANNA)
    bench.deck(ANNA, "card/filler")
    bench.hand(ANNA, "card/plan")
    for who in (ANNA, BEN):
        bench.tokens_on(bench.own(who), resource=resources)
    bench.change(active=ANNA)
    (handle,) = bench.game_table.piles["hand/" + ANNA]
    bench.run(playing.play_card(bench.game, ANNA, handle, is_action=False))
    bench.asked.clear()
    order = ["card/fear"] if resources else []
    bench.tokens_on(x, damage=2)
    bench.set(ANNA, actions=1)
    bench.act({1: "choice/fight"}, *order, "card/blade")
    del bench.asked[0]
    assert bench.in_hand(ANNA) == ["card/filler"]
    assert bench.count(BEN, Token.HORROR) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 2
    assert bench.count(BEN, Token.RESOURCE) == 0
    # The lead is asked for the order, whoever owns the cards.
    assert asked(bench) == [*([[0]] if resources else []), [1]]
    kinds = [type(one) for one in bench.log if isinstance(one, DelayedCame | Used)]
    # The event comes before all of that.
    assert kinds[:2] == [Used, DelayedCame]
    names = used(bench)[1:]
    assert names == (["fear", "l1-seen", "blade"] if resources else ["fear", "blade"])
    assert bench.game_table.delayed == ()


@pytest.mark.rule("C-EX-111", "C-BABIL-2", "C-BABIL-4")
def test_a_forced_ability_that_cannot_do_anything_is_left_out() -> None:
    amulet = "{does: constant, gives: [{cannot: {do: horror, of: you}}]}"
    fear = forced("after: defeated, place: {where: here}", "{harm: {horror: 1}}")
    bench = Bench(
        content_of(
            players=card("amulet", amulet), treacheries=treachery("fear", fear), enemies=enemy("x")
        )
    )
    bench.lay("card/amulet", Zone.PLAY, ANNA)
    bench.lay("card/fear", Zone.THREAT, ANNA)
    bench.run(defeat(bench, bench.engage("card/x", ANNA)))
    assert used(bench) == []
    assert bench.count(ANNA, Token.HORROR) == 0


@pytest.mark.rule("C-BABIL-21")
def test_a_delayed_effect_comes_once() -> None:
    plan = (
        "{does: free, effect: [{later: {on: {after: phase-ends}, do: [{resources: 1}], "
        "until: game}}]}"
    )
    bench = Bench(content_of(players=card("plan", plan)))
    piece = bench.lay("card/plan", Zone.PLAY, ANNA)
    (use,) = answers.free(bench.game, ANNA)
    assert use.piece == piece
    bench.run(answers.carry_out(bench.game, use))
    for _ in range(2):
        bench.run(end_phase(bench))
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-BABIL-21")
def test_each_delayed_effect_comes_at_its_own_moment() -> None:
    """The one that was begun second comes first."""
    plans = [
        f"{{does: free, effect: [{{later: {{on: {{after: {moment}}}, do: [{{resources: 3}}], "
        "until: game}}]}"
        for moment in ("round-ends", "phase-ends")
    ]
    bench = Bench(content_of(players=card("slow", plans[0]) + card("fast", plans[1])))
    for name in ("slow", "fast"):
        bench.lay(f"card/{name}", Zone.PLAY, ANNA)
        bench.resolve(f"card/{name}")
    bench.run(end_phase(bench))
    assert bench.count(ANNA, Token.RESOURCE) == 8
    assert len(bench.game_table.delayed) == 1


# Reactions


CLUE = "{discover: {}}"


@pytest.mark.rule("C-EX-5", "C-REACT-1", "C-REACT-3", "C-REACT-4")
def test_an_ability_in_play_and_an_event_in_hand_answer_the_same_defeat() -> None:
    trigger = "after: defeated, by: you, card: {types: [enemy]}"
    event = f"{{does: play, on: {{{trigger}}}, effect: [{CLUE}]}}"
    players = card("lens", reaction(trigger, CLUE)) + card("note", event, type_="event")
    bench = Bench(content_of(players=players, enemies=enemy("x")), (ANNA, BEN))
    bench.lay("card/lens", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/note")
    bench.tokens_on(bench.piece("card/l1"), clue=2)
    x = bench.engage("card/x", ANNA)
    bench.run(defeat(bench, x), "card/lens", "card/note")
    assert bench.count(ANNA, Token.CLUE) == 2
    assert asked(bench) == [[0], [0]]
    assert len({one.about for one in bench.asked}) == 1


@pytest.mark.rule(
    "C-EX-109", "C-BABIL-35", "C-BABIL-7", "C-BZONE-10", "C-BDMG-10", "C-DECIDE-5", "C-DECIDE-51"
)
@pytest.mark.parametrize("first", [0, 1])
def test_a_reaction_stays_when_another_removed_what_it_looked_at(first: int) -> None:
    on_location = "{types: [treachery], where: on-location}"
    players = (
        card(
            "pouch",
            forced(
                "after: defeated, card: {types: [enemy], holds: clue}",
                "{put: {token: clue, number: {n: 1, per: that-clues}, card: you}}",
            ),
        )
        + card(
            "broom",
            reaction("after: defeated, by: you", f"{{discard: {{choose: {{of: {on_location}}}}}}}"),
        )
        + card(
            "notes",
            reaction(
                "after: defeated, card: {traits: [beast]}, place: {where: here}",
                "{draw: {number: 1}}",
                f", if: {{exists: {{of: {on_location}}}}}",
            ),
        )
        + card("filler")
    )
    content = content_of(
        players=players,
        enemies=enemy("x", more=", traits: [beast]"),
        treacheries=treachery("web"),
    )
    bench = Bench(content, (ANNA, BEN))
    web = bench.lay("card/web", Zone.ON, bench.piece("card/l1"))
    bench.lay("card/pouch", Zone.PLAY, ANNA)
    bench.lay("card/broom", Zone.PLAY, ANNA)
    bench.lay("card/notes", Zone.PLAY, BEN)
    bench.deck(BEN, "card/filler")
    bench.engage("card/x", ANNA, tokens={"damage": 2, "clue": 2})
    uses = {0: "card/broom", 1: "card/notes"}
    bench.act("choice/fight", {first: uses[first]}, {1 - first: uses[1 - first]})
    assert asked(bench) == [[0], [0, 1], [1 - first]]
    assert used(bench)[0] == "pouch"
    assert bench.count(ANNA, Token.CLUE) == 2
    assert bench.in_hand(BEN) == ["card/filler"]
    assert web not in bench.game_table.cards
    assert sorted(bench.discarded(ENCOUNTER)) == ["card/web", "card/x"]


@pytest.mark.rule("C-EX-109", "C-BZONE-27", "C-BZONE-28", "C-BDMG-10", "C-BABIL-20")
def test_an_enemy_that_is_drawn_again_in_the_round_is_a_new_one() -> None:
    weaken = (
        "{does: free, limit: {per: round}, effect: [{lasting: {until: round, card: {each: {types: "
        "[enemy]}}, gives: [{stat: {of: {types: [enemy]}, stat: fight, by: -1}}]}}]}"
    )
    bench = Bench(content_of(players=card("dust", weaken), enemies=enemy("x")))
    bench.lay("card/dust", Zone.PLAY, ANNA)
    x = bench.engage("card/x", ANNA, tokens={"damage": 2, "clue": 2})
    (use,) = answers.free(bench.game, ANNA)
    bench.run(answers.carry_out(bench.game, use))
    assert values.stat(bench.game, bench.card("card/x"), Stat.FIGHT) == 2

    bench.run(harm.place(bench.game, [harm.Part(x, 1)], "", by=ANNA))
    assert bench.card("card/x").at == Place(Zone.DISCARD, ENCOUNTER)
    # The deck is empty, so that the discarded enemy is drawn.
    bench.run(encounter.draw(bench.game, ANNA))
    again = bench.card("card/x")
    assert (again.engaged, again.tokens) == ((ANNA,), {})
    assert values.stat(bench.game, again, Stat.FIGHT) == 3


@pytest.mark.rule("C-EX-109", "C-DECIDE-51")
def test_what_is_last_known_of_a_card_is_what_it_was_as_it_left() -> None:
    players = card("thief", reaction("when: defeated", "{put: {token: clue, card: that}}")) + card(
        "pouch",
        forced(
            "after: defeated, card: {holds: clue}",
            "{put: {token: clue, number: {n: 1, per: that-clues}, card: you}}",
        ),
    )
    bench = Bench(content_of(players=players, enemies=enemy("x")))
    bench.lay("card/pouch", Zone.PLAY, ANNA)
    bench.lay("card/thief", Zone.PLAY, ANNA)
    bench.run(defeat(bench, bench.engage("card/x", ANNA)), "card/thief")
    assert bench.count(ANNA, Token.CLUE) == 1


@pytest.mark.rule("C-DECIDE-51")
@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("is: {card: that, a: {traits: [beast]}}", True),
        ("is: {card: that, a: {traits: [thing]}}", False),
        ("has: {card: that, token: damage, least: 1}", True),
        ("has: {card: that, token: damage, least: 10}", False),
        ("stat: {card: that, stat: fight, least: 3}", True),
        ("stat: {card: that, stat: fight, least: 4}", False),
    ],
)
def test_a_condition_reads_a_card_that_has_left_as_it_was(condition: str, holds: bool) -> None:
    players = card("notes", forced("after: defeated", GAIN, f", if: {{{condition}}}"))
    bench = Bench(content_of(players=players, enemies=enemy("x", more=", traits: [beast]")))
    bench.lay("card/notes", Zone.PLAY, ANNA)
    bench.run(defeat(bench, bench.engage("card/x", ANNA)))
    assert used(bench) == ["notes"] * holds


@pytest.mark.rule("C-DECIDE-51")
def test_a_condition_reads_a_cause_that_has_left_as_it_was() -> None:
    on = "after: harm-placed, who: you"
    is_beast = "{is: {card: cause, a: {traits: [beast]}}}"
    players = card("sting", reaction(on, "{damage: {card: cause, number: 3}}")) + card(
        "notes", reaction(on, f"{{if: {{that: {is_beast}, do: [{GAIN}]}}}}")
    )
    bench = Bench(content_of(players=players, enemies=enemy("x", more=", traits: [beast]")))
    bench.lay("card/sting", Zone.PLAY, ANNA)
    bench.lay("card/notes", Zone.PLAY, ANNA)
    cause = bench.engage("card/x", ANNA)

    bench.run(harm.deal(bench.game, ANNA, 1, 0, cause=cause), "card/sting", "card/notes")

    assert bench.discarded("encounter") == ["card/x"]
    assert used(bench) == ["sting", "notes"]
    assert bench.count(ANNA, Token.RESOURCE) == 5 + 1


@pytest.mark.rule("C-DECIDE-51")
def test_a_trait_that_was_given_to_a_card_is_known_after_it_left() -> None:
    players = card(
        "net", "{does: constant, gives: [{trait: {of: {types: [enemy]}, trait: beast}}]}"
    ) + card("notes", forced("after: defeated, card: {traits: [beast]}", GAIN))
    bench = Bench(content_of(players=players, enemies=enemy("x", more=", traits: [thing]")))
    bench.lay("card/net", Zone.PLAY, ANNA)
    bench.lay("card/notes", Zone.PLAY, ANNA)
    bench.run(defeat(bench, bench.engage("card/x", ANNA)))
    assert used(bench) == ["notes"]


@pytest.mark.rule("C-BZONE-9")
def test_a_card_that_left_before_answers_nothing_and_one_that_is_defeated_does() -> None:
    last = forced("after: defeated, card: {types: [enemy]}", GAIN)
    x = f"- {{id: card/x, fight: 3, health: 3, evade: 3, abilities: [{last}]}}\n"
    sweep = forced("when: defeated, card: {id: card/x}", "{discard: {each: {id: card/lamp}}}")
    players = card("lamp", last) + card("sweep", sweep)
    bench = Bench(content_of(players=players, enemies=x))
    bench.lay("card/lamp", Zone.PLAY, ANNA)
    bench.lay("card/sweep", Zone.PLAY, ANNA)
    bench.run(defeat(bench, bench.engage("card/x", ANNA)))
    assert used(bench) == ["sweep", "x"]


@pytest.mark.rule("C-BWIN-2")
@pytest.mark.parametrize(("who", "by", "named"), [(BEN, ANNA, BEN), ("", ANNA, ANNA)])
def test_a_window_is_about_whom_it_happens_to_or_who_does_it(who: str, by: str, named: str) -> None:
    happened = Occurrence(Happening.DEFEATED, who=who, by=by)

    assert happened.about().params == (named, "", "")


def two_defeats() -> tuple[Bench, str, str]:
    """Return a game of four in which two may react to two defeats. C-EX-110."""
    trigger = "after: defeated, card: {types: [enemy]}, place: {where: here}"
    players = (
        card("purse", reaction(trigger, GAIN))
        + card("map", reaction(trigger, "{draw: {number: 1}}", ", cost: [{exhaust: {this: true}}]"))
        + card("filler")
    )
    bench = Bench(
        content_of(players=players, enemies=enemy("x") + enemy("y")), (ANNA, BEN, CARA, DAN)
    )
    for who in (CARA, DAN):
        bench.walk(who, "card/l2")
    bench.lay("card/purse", Zone.PLAY, ANNA)
    bench.lay("card/map", Zone.PLAY, BEN)
    bench.deck(BEN, "card/filler")
    bench.hand(CARA, *["card/filler"] * 3)
    return bench, bench.engage("card/x", ANNA), bench.engage("card/y", ANNA)


@pytest.mark.rule(
    *("C-EX-110", "C-REACT-2", "C-BABIL-7", "C-BABIL-36", "C-BDMG-16"),
    *("C-DECIDE-5", "C-DECIDE-6", "C-DECIDE-44", "C-DECIDE-52", "C-DECIDE-61", "C-BWIN-2"),
)
def test_a_use_opens_the_window_again_for_who_had_passed() -> None:
    bench, x, y = two_defeats()
    bench.run(
        defeat(bench, x, y), {0: on("card/purse", y)}, {1: on("card/map", x)}, {0: "card/purse"}
    )
    assert asked(bench) == [[0, 1], [0, 1], [0]]
    counts = [{seat: len(p.options) - 1 for seat, p in one.prompts.items()} for one in bench.asked]
    assert counts == [{0: 2, 1: 2}, {0: 1, 1: 2}, {0: 1}]
    assert bench.count(ANNA, Token.RESOURCE) == 7
    assert bench.in_hand(BEN) == ["card/filler"]
    # What others are told names neither card nor zone, and one kind stands for all of it.
    assert {str(one.about) for one in bench.asked} == {str(bench.asked[0].about)}
    assert {one.kind for one in bench.asked} == {"after/defeated"}


@pytest.mark.rule("C-DECIDE-5", "C-BZONE-9")
def test_a_card_that_enters_play_in_a_window_answers_in_it() -> None:
    trigger = "after: defeated, card: {types: [enemy]}"
    players = card("horn", reaction(trigger, "{into_play: {from_hand: {types: [asset]}}}")) + card(
        "purse", reaction(trigger, GAIN)
    )
    bench = Bench(content_of(players=players, enemies=enemy("x")))
    bench.lay("card/horn", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/purse")
    bench.run(defeat(bench, bench.engage("card/x", ANNA)), "card/horn", "card/purse", "card/purse")
    assert used(bench) == ["horn", "purse"]


@pytest.mark.rule("C-EX-110", "C-DECIDE-52", "C-SECRET-39", "C-BROUND-5")
def test_a_pass_said_beforehand_counts_until_the_end_of_the_phase() -> None:
    bench, x, y = two_defeats()
    bench.pass_beforehand(1, "after/defeated@phase")
    bench.run(defeat(bench, x, y), ...)
    assert (bench.asks(), bench.waits_for()) == ([0, 1], [0])

    bench.step(Phase.INVESTIGATION, len(rounds.PHASES[Phase.INVESTIGATION]))
    bench.run(defeat(bench, bench.engage("card/x", ANNA)), ...)
    assert (bench.asks(), bench.waits_for()) == ([0, 1], [0, 1])


@pytest.mark.rule("C-REACT-2", "C-DECIDE-52")
def test_a_window_in_which_nobody_can_do_anything_closes_at_once() -> None:
    bench, _, _ = two_defeats()
    bench.walk(CARA, "card/l3")
    bench.run(defeat(bench, bench.engage("card/x", CARA), by=CARA))
    assert bench.asked == []


# Nested sequences


@pytest.mark.rule(
    *("C-EX-6", "C-NEST-1", "C-NEST-4", "C-NEST-5", "C-NEST-6", "C-NEST-8", "C-NEST-9"),
    *("C-NEST-10", "C-NEST-11", "C-NEST-12", "C-AOO-8", "C-BAOO-2", "C-BPLAY-29", "C-BZONE-24"),
)
def test_the_nested_battle_takes_effect_in_its_order() -> None:
    players = (
        card(
            "hound",
            reaction(
                "when: harm-assigned, card: {this: true}, cause: {types: [enemy]}",
                "{damage: {card: cause}}",
            ),
            more=", health: 3, sanity: 1",
        )
        + card(
            "charm",
            reaction(
                "after: harm-placed, who: you, token: horror",
                "{damage: {card: {choose: {of: {types: [enemy], where: here}}}}}",
            ),
        )
        + card("sabre").replace("cost: 0", "cost: 2")
        + card("notes", forced("after: defeated, card: {id: card/x}", GAIN))
        + card("salve", forced("after: harm-placed, card: {id: card/hound}", GAIN))
    )
    x = (
        "- {id: card/x, fight: 3, health: 3, evade: 3, damage: 1, abilities: ["
        + forced("when: defeated, card: {this: true}", "{harm: {horror: 1, who: at-this}}")
        + "]}\n"
    )
    bench = Bench(content_of(players=players, enemies=x + enemy("y")), (ANNA, BEN))
    hound = bench.lay("card/hound", Zone.PLAY, ANNA)
    bench.lay("card/charm", Zone.PLAY, BEN)
    bench.lay("card/notes", Zone.PLAY, ANNA)
    bench.lay("card/salve", Zone.PLAY, ANNA)
    bench.hand(ANNA, "card/sabre")
    at_x = bench.engage("card/x", ANNA, tokens={"damage": 2})
    y = bench.engage("card/y", BEN)
    open_ = nesting(bench.game)
    bench.act(
        on("card/sabre", bench.game_table.piles["hand/" + ANNA][0]),
        "card/hound",
        "card/hound",
        "own_horror",
        {1: "card/charm"},
        y,
    )
    told = []
    for one in bench.log:
        if isinstance(one, Tokens):
            told += [(change.piece, change.kind) for change in one.changes]
        elif isinstance(one, Moved):
            told += [(piece, one.to.zone.value) for piece in one.pieces]
        elif isinstance(one, Used):
            told.append((one.code, "used"))
    sabre = bench.piece("card/sabre")
    order = [
        (bench.own(ANNA), "resource"),
        ("card/hound", "used"),
        (at_x, "damage"),
        ("card/x", "used"),
        (bench.own(ANNA), "horror"),
        (bench.own(BEN), "horror"),
        ("card/charm", "used"),
        (y, "damage"),
        (at_x, "discard"),
        ("card/notes", "used"),
        # What the two Forced abilities give marks the windows after the defeat and the damage.
        (bench.own(ANNA), "resource"),
        (hound, "damage"),
        ("card/salve", "used"),
        (bench.own(ANNA), "resource"),
        (sabre, "play"),
    ]
    assert [one for one in told if one in order] == order
    both = {(bench.own(who), "horror") for who in (ANNA, BEN)}
    changed = [{(one.piece, one.kind) for one in all_.changes} for all_ in bench.happened(Tokens)]
    assert both in changed
    # X, whose defeat is pending, could be chosen too.
    (choice,) = [one for one in bench.asked if one.rule == "C-BABIL-34"]
    assert [point.piece for o in choice.prompts[1].options for point in o.points] == [at_x, y]
    assert open_.sequences == 0
    assert open_.abilities == []
    assert bench.game.chain == ()
    # Play, attack, damage of the hound, damage of X, defeat of X, horror of B: no deeper.
    deepest = max(len([t for t in c if t.subject.startswith("happening/")]) for c in bench.chains)
    assert deepest == 6


@pytest.mark.rule("C-NEST-7", "C-DECIDE-53")
def test_an_endless_chain_of_occurrences_ends_with_a_notice_to_all() -> None:
    # Each defeat is of a new copy, so that no ability is inside itself.
    copies = 60
    next_one = "{damage: {card: {choose: {of: {types: [enemy], other: true}}}, number: 9}}"
    xs = "".join(
        enemy(
            f"x{n}",
            more=", abilities: ["
            + forced(
                "when: defeated, card: {this: true}",
                next_one.replace("types", f"id: card/x{n + 1}, types"),
            )
            + "]",
        )
        for n in range(copies)
    )
    content = content_of(
        enemies=xs + enemy(f"x{copies}"), players=card("last", forced("after: defeated", GAIN))
    )
    bench = Bench(content)
    first, *_ = [
        bench.lay(f"card/x{n}", Zone.AT, bench.piece("card/l1")) for n in range(copies + 1)
    ]
    bench.lay("card/last", Zone.PLAY, ANNA)
    bench.run(defeat(bench, first))
    (told,) = bench.happened(Told)
    assert told.text.subject == "notice/too_deep"
    assert len([name for name in used(bench) if name != "last"]) == timing.NESTING_LIMIT
    # What was about to happen has happened: no enemy lies there defeated.
    left = [c for c in bench.game_table.cards.values() if c.count(Token.DAMAGE)]
    assert left == []
    # The chain is over: the defeat that began it is answered.
    assert used(bench)[-1] == "last"
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert nesting(bench.game).sequences == 0


@pytest.mark.rule("C-NEST-7", "C-DECIDE-53")
def test_a_forced_ability_inside_itself_ends_with_a_notice_to_all() -> None:
    loop = forced("after: resources-gained", "{resources: 1}, {resources: 7}")
    bench = Bench(
        content_of(
            players=card("loop", loop) + card("spring", "{does: free, effect: [{resources: 1}]}")
        )
    )
    bench.lay("card/loop", Zone.PLAY, ANNA)
    bench.lay("card/spring", Zone.PLAY, ANNA)
    (use,) = answers.free(bench.game, ANNA)
    bench.run(answers.carry_out(bench.game, use))
    (told,) = bench.happened(Told)
    assert (told.text.subject, told.text.params) == ("notice/loop", ("card/loop",))
    assert used(bench).count("loop") == timing.LOOP_LIMIT
    # What was left of the effects is dropped: no 7 resources came.
    assert bench.count(ANNA, Token.RESOURCE) == 5 + 1 + timing.LOOP_LIMIT
    bench.run(answers.carry_out(bench.game, use))
    assert len(bench.happened(Told)) == 2


# Who may use an ability, and whom it calls "you"

FREE = "{does: free, effect: [{resources: 1}]}"


def free_cards(bench: Bench, who: str) -> list[str]:
    """Return the cards whose free abilities an investigator can use."""
    return sorted(use.code.removeprefix("card/") for use in answers.free(bench.game, who))


@pytest.mark.rule(
    *("C-EX-95", "C-TRIG-1", "C-TRIG-2", "C-TRIG-3", "C-TRIG-4", "C-TRIG-5", "C-TRIG-6", "C-TRIG-7")
)
def test_whose_abilities_may_be_used() -> None:
    person = (
        "- {id: card/anna, class: lens, willpower: 3, intellect: 3, combat: 3, agility: 3, "
        f"health: 7, sanity: 7, abilities: [{FREE}]}}\n"
    )
    content = content_of(
        investigators=person,
        players=card("of-a", FREE)
        + card("of-b", FREE)
        + card("of-c", FREE.replace("free,", "free, by: anyone,")),
        locations=f"""
        - id: card/l1
          symbol: s1
          connects: [s2]
          face: {{id: card/l1-seen, shroud: 2, abilities: [{FREE}]}}
        """,
        enemies=enemy("x", more=f", abilities: [{FREE}]"),
        treacheries=treachery("with-b", FREE) + treachery("with-c", FREE),
        acts=f"- {{id: card/act, clues: 99, abilities: [{FREE}]}}\n",
        agendas=f"- {{id: card/agenda, doom: 99, abilities: [{FREE}]}}\n",
        stories=f"- {{id: card/guide, health: 2, abilities: [{FREE}]}}\n",
    )
    bench = Bench(content, (ANNA, BEN, CARA))
    bench.walk(CARA, "card/l2")
    bench.lay("card/of-a", Zone.PLAY, ANNA)
    bench.lay("card/of-b", Zone.PLAY, BEN)
    bench.lay("card/of-c", Zone.PLAY, CARA)
    # An asset of the encounter deck is its controller's like any other.
    bench.lay("card/guide", Zone.PLAY, BEN)
    bench.lay("card/x", Zone.AT, bench.piece("card/l1"))
    bench.lay("card/with-b", Zone.THREAT, BEN)
    bench.lay("card/with-c", Zone.THREAT, CARA)
    everywhere = ["act", "agenda", "of-c"]
    here = [*everywhere, "l1-seen", "with-b", "x"]
    assert free_cards(bench, ANNA) == sorted([*here, "anna", "of-a"])
    assert free_cards(bench, BEN) == sorted([*here, "of-b", "guide"])
    assert free_cards(bench, CARA) == sorted([*everywhere, "with-c"])


@pytest.mark.issue(42)
@pytest.mark.rule("C-TRIG-1")
def test_whoever_controls_a_story_card_that_nobody_owns_bears_it() -> None:
    free = FREE.replace("free,", "free, by: bearer,")
    bench = Bench(
        content_of(stories=f"- {{id: card/guide, health: 2, abilities: [{free}]}}\n"), (ANNA, BEN)
    )
    bench.lay("card/guide", Zone.PLAY, BEN, owner="")
    assert (free_cards(bench, ANNA), free_cards(bench, BEN)) == ([], ["guide"])


@pytest.mark.rule("C-EX-16", "C-YOU-1", "C-YOU-2", "C-YOU-4", "C-YOU-5", "C-YOU-6", "C-TRIG-5")
def test_three_abilities_of_one_card_call_three_people_you() -> None:
    weak = ", ".join(f"{{skill: {{stat: {stat}, by: -1}}}}" for stat in ("combat", "agility"))
    curse = treachery(
        "curse",
        "{does: revelation, effect: [{to_threat: {}}]}",
        f"{{does: constant, gives: [{weak}]}}",
        "{does: action, effect: [{test: {skill: willpower, difficulty: 3, "
        "success: [{discard: this}]}}]}",
    )
    bench = Bench(content_of(treacheries=curse), (ANNA, BEN))
    bench.deck(ENCOUNTER, "card/curse")
    bench.run(encounter.draw(bench.game, ANNA))
    piece = bench.piece("card/curse")
    assert bench.card("card/curse").at.of == ANNA
    for skill in (Skill.COMBAT, Skill.AGILITY):
        assert [values.skill(bench.game, who, skill) for who in (ANNA, BEN)] == [2, 3]
    (use,) = answers.actions(bench.game, BEN)
    bench.run(actions.activate(bench.game, use))
    (test,) = bench.happened(events.TestBegan)
    assert test.tester == BEN
    assert piece not in bench.game_table.cards


@pytest.mark.rule("C-EX-17", "C-YOU-3", "C-YOU-6")
def test_you_is_everybody_whom_the_text_describes() -> None:
    fog = "{does: constant, gives: [{skill: {stat: combat, of: at-this, by: -1}}]}"
    bite = forced("after: engages, card: {this: true}, who: you", "{harm: {horror: 1}}")
    bench = Bench(
        content_of(
            enemies=enemy("fog", more=f", keywords: [aloof], abilities: [{fog}]")
            + enemy("dog", more=f", keywords: [aloof], spawn: {{at: card/l3}}, abilities: [{bite}]")
        ),
        (ANNA, BEN, CARA),
    )
    bench.lay("card/fog", Zone.AT, bench.piece("card/l1"))
    bench.walk(CARA, "card/l2")
    combat = [values.skill(bench.game, who, Skill.COMBAT) for who in (ANNA, BEN, CARA)]
    assert combat == [2, 2, 3]
    bench.walk(BEN, "card/l3")
    bench.deck(ENCOUNTER, "card/dog")
    bench.run(encounter.draw(bench.game, ANNA))
    assert bench.card("card/dog").at == Place(Zone.AT, bench.piece("card/l3"))
    bench.run(enemies.engage(bench.game, [(bench.piece("card/dog"), BEN)]))
    horror = [bench.count(who, Token.HORROR) for who in (ANNA, BEN, CARA)]
    assert horror == [0, 1, 0]


@pytest.mark.rule("C-BABIL-26")
@pytest.mark.parametrize("is_blank", [False, True])
def test_a_blank_card_answers_nothing_and_is_not_used(is_blank: bool) -> None:
    notes = card("notes", forced("after: phase-ends", GAIN), "{does: free, effect: [resources: 1]}")
    fog = card("fog", "{does: constant, gives: [{blank: {id: card/notes}}]}")
    bench = Bench(content_of(players=notes + fog))
    bench.lay("card/notes", Zone.PLAY, ANNA)
    if is_blank:
        bench.lay("card/fog", Zone.PLAY, ANNA)
    assert len(answers.free(bench.game, ANNA)) == (not is_blank)
    bench.run(end_phase(bench))
    assert used(bench) == ["notes"] * (not is_blank)


@pytest.mark.rule("C-BABIL-10")
def test_harm_that_can_be_moved_to_no_card_stays_where_it_is() -> None:
    shield = reaction(
        "when: damage-dealt, who: you",
        "{move_harm: {choose: {of: {types: [asset], traits: [armor]}}}}, {resources: 1}",
    )
    bench = Bench(content_of(players=card("shield", shield)))
    bench.lay("card/shield", Zone.PLAY, ANNA)
    bench.run(harm.deal(bench.game, ANNA, 1, 0), "card/shield")
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.count(ANNA, Token.RESOURCE) == 6


@pytest.mark.rule("C-YOU-4", "C-BABIL-34")
def test_you_of_an_enemy_is_who_fights_it_or_else_who_is_engaged_with_it() -> None:
    sting = forced("after: test-fails, card: {this: true}, who: you", "{harm: {horror: 1}}")
    chill = forced("after: phase-ends", "{harm: {horror: 1}}")
    bench = Bench(
        content_of(
            enemies=enemy("x", more=f", abilities: [{sting}, {chill}]"),
            treacheries=treachery(
                "fear", forced("after: test-fails, who: you", "{harm: {damage: 1}}")
            ),
        ),
        (ANNA, BEN),
    )
    x = bench.engage("card/x", ANNA)
    bench.lay("card/fear", Zone.THREAT, ANNA)
    one = Occurrence(Happening.TEST_FAILS, who=BEN, by=BEN, card=x)
    bench.run(timing.pass_by(bench.game, one))
    assert (bench.count(ANNA, Token.HORROR), bench.count(BEN, Token.HORROR)) == (0, 1)
    # The bearer of a weakness is meant, and nobody else.
    assert (bench.count(ANNA, Token.DAMAGE), bench.count(BEN, Token.DAMAGE)) == (0, 0)
    bench.run(end_phase(bench))
    assert (bench.count(ANNA, Token.HORROR), bench.count(BEN, Token.HORROR)) == (1, 1)


def hit(bench: Bench, x: str) -> Any:
    """Return the rule by which an enemy attacks Anna for 2 damage in the enemy phase."""
    bench.change(phase=Phase.ENEMY)
    return enemies.attack(bench.game, x, ANNA)


@pytest.mark.rule("C-EX-25", "C-YOU-7", "C-YOU-8")
@pytest.mark.parametrize("to", ["own ally", "ally of another", "another"])
def test_damage_to_you_is_damage_to_your_assets_and_not_to_others(to: str) -> None:
    sabre = reaction(
        "after: damage-dealt, who: you, cause: {types: [enemy]}, least: 1",
        GAIN,
        ", if: {phase: enemy}",
    )
    decoy = reaction(
        "when: damage-dealt, who: you",
        "{move_harm: {choose: {of: {yours: false, types: [asset, investigator]}}}}",
    )
    players = (
        card("sabre", sabre)
        + card("ally", more=", health: 4")
        + card("decoy", decoy, type_="asset")
    )
    bench = Bench(content_of(players=players, enemies=enemy("x", more=", damage: 2")), (ANNA, BEN))
    bench.lay("card/sabre", Zone.PLAY, ANNA)
    x = bench.engage("card/x", ANNA)
    if to == "own ally":
        bench.lay("card/ally", Zone.PLAY, ANNA)
        bench.run(hit(bench, x), "choice/all_damage", "card/sabre")
        assert bench.count(ANNA, Token.RESOURCE) == 6
        return
    bench.lay("card/decoy", Zone.PLAY, ANNA)
    ally = bench.lay("card/ally", Zone.PLAY, BEN)
    bench.run(hit(bench, x), "card/decoy", ally if to == "ally of another" else bench.own(BEN))
    assert bench.count(ANNA, Token.DAMAGE) == 0
    assert bench.count(ANNA, Token.RESOURCE) == 5


# Uses, limits and windows


@pytest.mark.rule("C-EX-30", "C-TRIG-8", "C-BABIL-8", "C-BWIN-7")
def test_a_free_ability_without_a_limit_is_used_as_often_as_it_is_paid_for() -> None:
    stretch = (
        "{does: free, cost: [{resources: 1}], effect: [{lasting: {until: test, gives: "
        "[{skill: {stat: combat, by: 1}}]}}]}"
    )
    bench = Bench(content_of(players=card("stretch", stretch), enemies=enemy("x")))
    bench.lay("card/stretch", Zone.PLAY, ANNA)
    bench.tokens_on(bench.own(ANNA), resource=3)
    bench.engage("card/x", ANNA)
    bench.act("choice/fight", *["card/stretch"] * 3)
    # A fourth use is not offered: nothing more was asked.
    assert len(bench.asked) == 4
    (value,) = {one.value for one in bench.happened(events.TestStep) if one.step == 6}
    assert value == 6
    assert bench.count(ANNA, Token.RESOURCE) == 0


@pytest.mark.rule("C-EX-56", "C-REACT-5")
def test_a_reaction_at_a_fixed_moment_needs_none_of_what_it_mentions() -> None:
    boots = reaction("after: enters, who: you, is_first: true", GAIN)
    late = reaction("after: enters, who: you", GAIN)
    players = card("boots", boots) + card("late", late)
    bench = Bench(content_of(players=players))
    bench.lay("card/late", Zone.PLAY, ANNA)
    bench.lay("card/boots", Zone.PLAY, ANNA)
    bench.act("choice/move", "card/boots", "card/late")
    assert used(bench)[-2:] == ["boots", "late"]


@pytest.mark.rule("C-EX-118", "C-BABIL-16", "C-BABIL-17", "C-BZONE-28")
def test_a_limit_counts_for_each_copy_and_anew_for_one_that_comes_back() -> None:
    gem = reaction("after: phase-ends", GAIN, ", limit: {per: test}")
    bench = Bench(content_of(players=card("gem", gem)))
    first = bench.lay("card/gem", Zone.PLAY, ANNA)
    second = bench.lay("card/gem", Zone.PLAY, ANNA)
    bench.run(end_phase(bench), on("card/gem", first), on("card/gem", second))
    bench.run(end_phase(bench))
    assert bench.count(ANNA, Token.RESOURCE) == 7
    bench.run(zones.discard(bench.game, (first,)))
    bench.lay("card/gem", Zone.PLAY, ANNA)
    bench.run(end_phase(bench), "card/gem")
    assert bench.count(ANNA, Token.RESOURCE) == 8


SYMBOLS = "- {id: card/reference, s1: {by: -1, another: true}, s2: {by: -2}, s3: {}, s4: {}}\n"


@pytest.mark.rule("C-EX-118", "C-BABIL-16", "C-BTEST-8", "C-TOK-6", "C-TOK-7")
def test_a_limit_per_test_lets_each_copy_answer_one_of_two_symbols() -> None:
    gem = reaction(
        "after: token-revealed, who: you, tokens: [s1, s2]", GAIN, ", limit: {per: test}"
    )
    bench = Bench(content_of(players=card("gem", gem), references=SYMBOLS))
    first, second = (bench.lay("card/gem", Zone.PLAY, ANNA) for _ in range(2))
    for resources in (7, 9):
        bench.bag("s1", "s2")
        bench.give_tokens("s1", "s2")
        bench.test(on("card/gem", first), on("card/gem", second))
        assert bench.count(ANNA, Token.RESOURCE) == resources
    # Both entries were carried out.
    assert [one.value for one in bench.happened(events.TestStep) if one.step == 6] == [0, 0]


@pytest.mark.rule("C-EX-118", "C-BABIL-16", "C-BABIL-7")
def test_a_limit_per_turn_counts_the_use_after_an_earlier_draw() -> None:
    balm = reaction("after: drawn, who: you", "{heal: {horror: 1}}", ", limit: {per: turn}")
    bench = Bench(
        content_of(
            players=card("balm", balm) + card("filler"),
            treacheries="- {id: card/dread, weakness: true}\n",
        )
    )
    bench.lay("card/balm", Zone.PLAY, ANNA)
    bench.tokens_on(bench.own(ANNA), horror=3)
    bench.deck(ANNA, "card/dread", "card/filler", "card/filler")
    bench.act("choice/draw", "card/balm")
    bench.act("choice/draw")
    assert bench.count(ANNA, Token.HORROR) == 2
    assert used(bench) == ["balm"]
    bench.emit(events.PeriodEnded((Until.TURN.value,)))
    bench.act("choice/draw", "card/balm")


@pytest.mark.rule("C-EX-118", "C-BABIL-16", "C-BZONE-28")
def test_a_copy_that_comes_back_in_the_same_test_is_not_the_one_whose_limit_counts() -> None:
    gem = reaction(
        "after: token-revealed, who: you, tokens: [s1, s2]", GAIN, ", limit: {per: test}"
    )
    swing = (
        "{does: reaction, on: {after: resources-gained, who: you}, limit: {per: round}, effect: "
        "[{send: {to: hand, card: {each: {id: card/gem}}}}, "
        "{into_play: {from_hand: {id: card/gem}}}]}"
    )
    bench = Bench(content_of(players=card("gem", gem) + card("swing", swing), references=SYMBOLS))
    bench.lay("card/gem", Zone.PLAY, ANNA)
    bench.lay("card/swing", Zone.PLAY, ANNA)
    bench.bag("s1", "s2")
    bench.give_tokens("s1", "s2")
    # It is the card in hand, and may then be used.
    bench.test("card/gem", "card/swing", "card/gem", "card/gem")
    assert bench.count(ANNA, Token.RESOURCE) == 7


@pytest.mark.rule("C-EX-118", "C-BABIL-25", "C-BZONE-22")
def test_this_means_the_copy_that_has_the_ability_and_no_other() -> None:
    brace = (
        "{does: free, limit: {per: round}, effect: [{lasting: {until: round, card: this, gives: "
        "[{stat: {of: {types: [asset]}, stat: health, by: 1}}]}}]}"
    )
    bench = Bench(content_of(players=card("brace", brace, more=", health: 1")))
    pieces = [bench.lay("card/brace", Zone.PLAY, ANNA) for _ in range(2)]
    use = next(one for one in answers.free(bench.game, ANNA) if one.piece == pieces[0])
    bench.run(answers.carry_out(bench.game, use))
    health = [
        values.stat(bench.game, bench.game_table.cards[piece], Stat.HEALTH) for piece in pieces
    ]
    assert health == [2, 1]
    assert [one.piece for one in answers.free(bench.game, ANNA)] == pieces[1:]
    bench.emit(events.PeriodEnded((Until.ROUND.value,)))
    assert values.stat(bench.game, bench.game_table.cards[pieces[0]], Stat.HEALTH) == 1


@pytest.mark.rule("C-EX-118", "C-BABIL-17", "C-LIM-5")
def test_a_maximum_counts_all_copies_by_title_for_all_players() -> None:
    song = "{does: play, limit: {per: round, is_max: true}, effect: [{resources: 1}]}"
    horn = "{does: free, limit: {per: round, is_max: true}, effect: [{resources: 1}]}"
    players = card("song", song, type_="event", more=", keywords: [fast]") + card("horn", horn)
    bench = Bench(content_of(players=players), (ANNA, BEN))
    for who in (ANNA, BEN):
        bench.hand(who, "card/song")
        bench.lay("card/horn", Zone.PLAY, who)
    window = windows.player_window(bench.game, "turn")
    bench.run(window, {0: "card/song"}, {1: "card/horn"})
    assert bench.count(ANNA, Token.RESOURCE) == 6
    assert bench.in_hand(BEN) == ["card/song"]
    bench.emit(events.PeriodEnded((Until.ROUND.value,)))
    bench.run(windows.player_window(bench.game, "turn"), {1: "card/song"}, {0: "card/horn"})


def shut_gate() -> tuple[Bench, str]:
    """Return a game in which A may be kept from leaving. C-EX-113."""
    gate = forced(
        "would: leaves, place: {host: true}",
        "{test: {skill: willpower, difficulty: 3, failure: [{cancel: true}]}}",
    )
    pain = forced("after: leaves, place: {this: true}", "{harm: {damage: 1}}")
    call = "{does: play, on: {when: leaves, who: another-here}, effect: [{cancel: true}]}"
    content = content_of(
        locations=f"""
        - id: card/l1
          symbol: s1
          connects: [s2]
          face: {{id: card/l1-seen, shroud: 2, abilities: [{pain}]}}
        """,
        treacheries=treachery("gate", gate),
        players=card("boots", reaction("when: leaves, who: you", "{draw: {number: 1}}"))
        + card("filler")
        + "- {id: card/call, type: event, cost: 1, keywords: [fast], abilities: ["
        + call
        + "]}\n",
    )
    bench = Bench(content, (ANNA, BEN))
    bench.lay("card/gate", Zone.ON, bench.piece("card/l1"))
    bench.lay("card/boots", Zone.PLAY, ANNA)
    bench.hand(BEN, "card/call")
    bench.deck(ANNA, "card/filler", "card/filler")
    bench.bag("0", "-1")
    return bench, bench.piece("card/l1")


@pytest.mark.rule("C-EX-113", "C-BABIL-13", "C-BABIL-14", "C-BWIN-9")
def test_a_replaced_leaving_is_offered_to_nobody() -> None:
    bench, _ = shut_gate()
    bench.give_tokens("-1")
    bench.act("choice/move")
    assert bench.at(ANNA) == "card/l1"
    assert bench.who(ANNA).actions == 2
    assert bench.count(ANNA, Token.DAMAGE) == 0
    # Only the action was asked for: the event has a moment of its own.
    assert len(bench.asked) == 1


@pytest.mark.rule("C-EX-113", "C-NEST-1", "C-BABIL-14")
def test_a_leaving_that_is_not_replaced_is_answered_when_and_after() -> None:
    bench, _ = shut_gate()
    bench.give_tokens("0")
    bench.act("choice/move", {0: "card/boots", 1: PASS}, {1: PASS})
    assert bench.at(ANNA) == "card/l2"
    assert bench.in_hand(ANNA) == ["card/filler"]
    assert bench.count(ANNA, Token.DAMAGE) == 1


@pytest.mark.rule("C-EX-113", "C-BABIL-15", "C-BABIL-30")
def test_a_cancelled_leaving_is_not_answered_any_more() -> None:
    bench, _ = shut_gate()
    bench.give_tokens("0")
    bench.act("choice/move", {1: "card/call"})
    assert bench.at(ANNA) == "card/l1"
    assert bench.in_hand(ANNA) == []
    assert bench.count(ANNA, Token.DAMAGE) == 0
    assert bench.count(BEN, Token.RESOURCE) == 4


@pytest.mark.rule("C-EX-93", "C-TEST-5", "C-TEST-6", "C-TEST-9")
def test_what_answers_the_result_comes_before_the_results() -> None:
    lens = reaction("after: test-succeeds, who: you, deed: investigate", GAIN)
    skill = "{does: success, zone: committed, effect: [{draw: {number: 1}}]}"
    trap = forced("after: test-fails, least: 2", "{harm: {horror: 1, who: who}}")
    content = content_of(
        players=card("lens", lens)
        + card("filler")
        + card("luck", skill, type_="skill", more=", icons: [intellect]"),
        locations=f"""
        - id: card/l1
          symbol: s1
          connects: [s2]
          face: {{id: card/l1-seen, shroud: 4, abilities: [{trap}]}}
        """,
    )
    bench = Bench(content)
    bench.lay("card/lens", Zone.PLAY, ANNA)
    bench.tokens_on(bench.piece("card/l1"), clue=1)
    bench.deck(ANNA, "card/filler")
    bench.hand(ANNA, "card/luck")
    bench.act("choice/investigate", "card/luck", "card/lens", 0)
    order = [
        type(one).__name__ if not isinstance(one, Tokens) else one.changes[-1].kind
        for one in bench.log
        if isinstance(one, events.Drew | Tokens)
        or (isinstance(one, events.TestStep) and one.step in (6, 7))
    ]
    assert order[:3] == ["TestStep", "resource", "TestStep"]
    assert sorted(order[3:]) == ["Drew", "clue"]
    bench.bag("-1")
    bench.act("choice/investigate")
    steps = [one.step for one in bench.happened(events.TestStep)]
    assert bench.count(ANNA, Token.HORROR) == 1
    assert steps[-2:] == [6, 7]


# Strict windows


def strictly(bench: Bench, **settings: Any) -> None:
    """Have the table play with strict windows."""
    room = bench.table.room
    strict = evolve(room.settings, strict_windows=True, **settings)
    bench.table = bench.table.with_room(settings=strict)


def answerable() -> tuple[Bench, str, str]:
    """Return the game of C-EX-110 in a pack with an event that could answer a defeat."""
    trigger = "after: defeated, card: {types: [enemy]}, place: {where: here}"
    event = f"{{does: play, on: {{after: defeated}}, effect: [{GAIN}]}}"
    players = (
        card("purse", reaction(trigger, GAIN))
        + card("map", reaction(trigger, "{draw: {number: 1}}", ", cost: [{exhaust: {this: true}}]"))
        + card("filler")
        + card("cheer", event, type_="event")
    )
    bench = Bench(
        content_of(players=players, enemies=enemy("x") + enemy("y")), (ANNA, BEN, CARA, DAN)
    )
    for who in (CARA, DAN):
        bench.walk(who, "card/l2")
    bench.lay("card/purse", Zone.PLAY, ANNA)
    bench.lay("card/map", Zone.PLAY, BEN)
    bench.deck(BEN, "card/filler")
    bench.hand(CARA, *["card/filler"] * 3)
    return bench, bench.engage("card/x", ANNA), bench.engage("card/y", ANNA)


@pytest.mark.rule("C-EX-110", "C-DECIDE-5", "C-DECIDE-6", "C-DECIDE-52", "C-SECRET-31")
def test_under_strict_all_are_asked_whom_public_facts_do_not_rule_out() -> None:
    bench, x, y = answerable()
    strictly(bench)
    bench.run(defeat(bench, x, y), {0: on("card/purse", y), 1: on("card/map", x)}, {})
    # Player order: the use of A is taken, and B is asked again. Nobody answers the second.
    assert asked(bench) == [[0, 1, 2], [0, 1, 2]]
    assert {one.settle for one in bench.asked} == {Settle.WINDOW}
    assert used(bench) == ["purse"]


@pytest.mark.rule("C-EX-110", "C-DECIDE-52", "C-SECRET-31")
def test_under_strict_with_stops_a_window_opens_for_a_stop_with_nothing_in_hand() -> None:
    bench, x, y = answerable()
    strictly(bench, stops=True)
    bench.run(defeat(bench, x, y), ...)
    assert bench.open is not None
    bench.put(bench.open)
    room, holding = bench.table.room, Holding()
    # Where nobody has a stop it closes at once, whatever Anna and Ben could use.
    assert holding.is_passed(room)

    holding.stop(room, 2, frozenset(["after/defeated"]), is_everywhere=False)
    assert not holding.is_passed(room)
    assert [one.text.subject for one in bench.open.prompts[2].options] == [PASS]


@pytest.mark.rule("C-DECIDE-6", "C-DECIDE-52")
def test_under_strict_who_is_asked_does_not_depend_on_the_cards_in_a_hand() -> None:
    def seats(code: str) -> list[list[int]]:
        bench, x, _ = answerable()
        strictly(bench)
        bench.hand(CARA, code)
        bench.run(defeat(bench, x), {})
        return asked(bench)

    assert seats("card/cheer") == seats("card/filler") == [[0, 1, 2]]


@pytest.mark.rule("C-DECIDE-52")
def test_under_strict_a_hand_that_nothing_of_the_pack_could_answer_from_is_ruled_out() -> None:
    bench, x, y = two_defeats()
    strictly(bench)
    bench.run(defeat(bench, x, y), {})
    assert asked(bench) == [[0, 1]]


@pytest.mark.rule("C-DECIDE-52", "C-BTEST-4")
def test_under_strict_who_may_commit_is_asked_whatever_the_hand_is() -> None:
    bench = Bench(content_of(players=card("filler")), (ANNA, BEN, CARA))
    strictly(bench)
    bench.walk(CARA, "card/l2")
    for who in (BEN, CARA):
        bench.hand(who, "card/filler")
    bench.act({0: "choice/investigate"}, {}, {}, {})
    assert [(one.kind, sorted(one.prompts)) for one in bench.asked] == [
        ("", [0, 1, 2]),
        ("window/test-began", [1, 2]),
        ("window/commit", [1]),
        ("window/test-committed", [1, 2]),
    ]


@pytest.mark.rule("C-DECIDE-52")
def test_under_strict_by_calendar_all_who_are_asked_answer() -> None:
    bench, x, _ = answerable()
    strictly(bench, by_calendar=True)
    bench.run(defeat(bench, x), {0: PASS, 1: PASS, 2: PASS})
    assert asked(bench) == [[0, 1, 2]]
    assert {one.settle for one in bench.asked} == {Settle.FIRST_OR_ALL_PASS}


@pytest.mark.rule("C-BROUND-5", "C-DECIDE-52")
def test_passes_lapse_with_their_test_turn_phase_and_round() -> None:
    bench = Bench()
    bench.act("choice/investigate")
    bench.act("choice/end_turn")
    bench.step(Phase.INVESTIGATION, 9)
    bench.step(Phase.UPKEEP, 9)
    names = [one.name for one in bench.happened(PassesLapsed)]
    assert names == ["test", "turn", "phase", "phase", "round"]


# What the rules hold while they wait


@pytest.mark.rule("C-NEST-1")
def test_a_card_that_comes_with_what_happens_answers_it_afterwards() -> None:
    drum = forced("after: enters-play, card: {this: true}", GAIN)
    bench = Bench(content_of(players=card("drum", drum)))
    bench.deck(ANNA, "card/drum")
    handle = bench.game_table.piles["deck/" + ANNA][0]

    async def come(group: list[Occurrence]) -> None:
        bench.emit(events.Opened("deck/" + ANNA, handle, "card/drum", Place(Zone.PLAY, ANNA), ANNA))
        group[0].card = bench.piece("card/drum")

    bench.run(timing.happen(bench.game, [Occurrence(Happening.ENTERS_PLAY, who=ANNA)], come))
    assert used(bench) == ["drum"]


def test_an_occurrence_that_nothing_present_answers_looks_at_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loud = forced("after: phase-ends", GAIN)
    bench = Bench(content_of(players=card("loud", loud) + card("calm")))
    bench.lay("card/calm", Zone.PLAY, ANNA)
    monkeypatch.setattr(answers, "_matching", lambda *_, **__: pytest.fail("cards are looked at"))
    bench.run(end_phase(bench))


def kept_parts(path: Path) -> list[str]:
    """Return the names that hold a part of the table across an await, each with its line."""
    found = []
    for function in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(function, ast.AsyncFunctionDef):
            continue
        held: dict[str, int] = {}
        waits = [at.lineno for at in ast.walk(function) if isinstance(at, ast.Await)]
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                (target,), value = node.targets, node.value
                if isinstance(target, ast.Name) and ast.unparse(value) in (
                    "play.table",
                    "run.game.table",
                ):
                    held[target.id] = node.lineno
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in held:
                since = held[node.id]
                if any(since < wait < node.lineno for wait in waits):
                    found.append(f"{path.name}:{node.lineno} {node.id}")
    return found


@pytest.mark.rule("C-NEST-10")
@pytest.mark.parametrize(
    "module", [timing, windows, answers, effects], ids=lambda one: one.__name__
)
def test_the_rules_of_timing_keep_no_table_across_an_await(module: Any) -> None:
    assert kept_parts(Path(module.__file__)) == []


@pytest.mark.rule("C-EX-53", "C-AOO-2", "C-AOO-7")
def test_a_reaction_that_is_an_attack_provokes_nothing_and_costs_no_action() -> None:
    counter = reaction(
        "after: damage-dealt, who: you, cause: {types: [enemy]}, tokens: [attack]",
        "{fight: {card: cause}}",
        ", deed: [fight], cost: [{exhaust: {this: true}}]",
    )
    content = content_of(
        players=card("sabre", counter),
        enemies=enemy("x", more=", damage: 1") + enemy("y", more=", damage: 1"),
    )
    bench = Bench(content)
    bench.lay("card/sabre", Zone.PLAY, ANNA)
    x, _ = bench.engage("card/x", ANNA), bench.engage("card/y", ANNA)
    bench.run(enemies.attack(bench.game, x, ANNA), "card/sabre")
    assert bench.count("card/x", Token.DAMAGE) == 1
    assert bench.count(ANNA, Token.DAMAGE) == 1
    assert bench.who(ANNA).actions == 3


@pytest.mark.rule("C-EX-35", "C-TEST-12", "C-TEST-13")
def test_horror_by_a_revealed_symbol_is_answered_before_symbols_are_resolved() -> None:
    spell = forced("after: token-revealed, who: you, tokens: [s1, s2]", "{harm: {horror: 1}}")
    charm = reaction(
        "after: harm-placed, who: you, token: horror",
        "{damage: {card: {choose: {of: {types: [enemy], where: here}}}}}",
    )
    bench = Bench(
        content_of(players=card("spell", spell) + card("charm", charm), enemies=enemy("x"))
    )
    bench.lay("card/spell", Zone.PLAY, ANNA)
    bench.lay("card/charm", Zone.PLAY, ANNA)
    bench.engage("card/x", ANNA)
    bench.bag("s1")
    bench.act("choice/fight", "card/charm")
    order = [
        one.step if isinstance(one, events.TestStep) else one.changes[0].kind
        for one in bench.log
        if isinstance(one, Tokens) or (isinstance(one, events.TestStep) and one.step in (3, 4))
    ]
    assert order[:4] == [3, "horror", "damage", 4]


@pytest.mark.rule("C-BABIL-12", "C-BABIL-11")
def test_what_follows_then_needs_all_of_what_comes_before() -> None:
    trade = (
        "{does: free, effect: [{resources: -3}, {if: {that: {done: true}, do: [{harm: "
        "{horror: 1}}]}}]}"
    )
    for resources, horror in ((3, 1), (2, 0)):
        bench = Bench(content_of(players=card("trade", trade)))
        bench.lay("card/trade", Zone.PLAY, ANNA)
        bench.tokens_on(bench.own(ANNA), resource=resources)
        bench.run(windows.player_window(bench.game, "turn"), "card/trade", PASS)
        assert bench.count(ANNA, Token.HORROR) == horror


@pytest.mark.rule("C-BABIL-21", "C-DECIDE-4")
def test_a_delayed_effect_waits_for_its_moment_of_an_occurrence() -> None:
    plan = (
        "{does: free, effect: [{later: {on: {after: phase-ends}, do: [{resources: 1}], "
        "until: game}}]}"
    )
    bench = Bench(content_of(players=card("plan", plan)))
    bench.lay("card/plan", Zone.PLAY, ANNA)
    bench.resolve("card/plan")
    (effect,) = bench.game_table.delayed
    group = [Occurrence(Happening.PHASE_ENDS, phase=bench.game_table.phase)]

    assert answers.awaited_by(bench.game, effect, (Moment.WHEN, Moment.AT), group) is None
    assert answers.awaited_by(bench.game, effect, (Moment.AFTER,), group) is group[0]
