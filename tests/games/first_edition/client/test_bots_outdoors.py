"""Investigators of bots outdoors: allies, boats, water, pits, curses and secret votes."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
import pytest

from client.games.first_edition.bot import BRAINS, plan
from client.games.first_edition.bot.advice import CARDS
from client.games.first_edition.bot.advice.forms import (
    Advice,
    Answer,
    Fact,
    Goals,
    Guard,
    Lead,
    Seen,
    Task,
    Use,
)
from client.games.first_edition.bot.board import PIT, Board
from client.games.first_edition.bot.seen import OpenTable
from client.model.tables import TableView
from protocol.common.asks import Choice, Point, Question
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.table import (
    Feature,
    FirstEditionTable,
    Item,
    LaidCard,
    WeaponFacts,
)
from protocol.games.first_edition.words import INVESTIGATOR, AttackKind, FeatureKind, Keyword
from protocol.values import evolve
from tests.games.first_edition.client import wild
from tests.games.first_edition.client.kit import ADA, ANN, REED, ROOM, game_of, view_of
from tests.games.first_edition.client.wild import HARROW, TOBIAS

pytestmark = pytest.mark.issue(41)

KEY = Item("i9", "item/oar", (Keyword.KEY,))
BOTH, QUIET = (TOBIAS, HARROW), Answer(0.0)
"""Both allies, and the points of talking with somebody who has nothing to say."""
Advise = Callable[[Advice], None]


@pytest.fixture(name="advise")
def knowing(monkeypatch: pytest.MonkeyPatch) -> Advise:
    """Return what tells bots about the story of these tests."""

    def advise(advice: Advice) -> None:
        monkeypatch.setattr(plan, "advice_on", lambda _: advice)

    return advise


def mere(**changes: Any) -> FirstEditionTable:
    """Return the table by the mere, without monsters, and with nothing to explore."""
    quiet: dict[str, Any] = {
        "monsters": {},
        "laid": {},
        "features": {},
        "objective": None,
        "active": ADA,
        "steps_left": 2,
    }
    return evolve(game_of(wild.playing()), **{**quiet, **changes})


def at(game: FirstEditionTable, **spaces: str) -> FirstEditionTable:
    """Return the table with figures in other spaces."""
    names = {"ada": ADA, "reed": REED, "tobias": TOBIAS, "harrow": HARROW}
    for name, letter in spaces.items():
        game = game.with_character(names[name], space=f"mere/{letter}")
    return game


def marks(**spaces: str) -> Mapping[str, Feature]:
    """Return features by their kind, each in a space."""
    return {
        kind: Feature(kind, FeatureKind(kind), f"mere/{letter}") for kind, letter in spaces.items()
    }


def laid(*rooms: str) -> Mapping[str, tuple[LaidCard, ...]]:
    return {f"room/{room}": (LaidCard(1, hidden("clue/bell").closed()),) for room in rooms}


def to(word: str, *letters: str) -> list[Choice]:
    """Return choices that lead to spaces."""
    return [
        Choice(letter, Text(f"choice/{word}", (letter,)), (Point("space", f"mere/{letter}"),))
        for letter in letters
    ]


def lead(ally: str, *letters: str) -> list[Choice]:
    texts = to("lead_to", *letters)
    return [attrs.evolve(one, text=Text("choice/lead_to", (ally, "there"))) for one in texts]


def end(word: str) -> Choice:
    return Choice(word, Text(f"choice/{word}"), (), "rest", ends=True)


def picked(game: FirstEditionTable, prompt: Text, choices: Iterable[Choice], seed: int = 1) -> str:
    """Return the id of the choice that a bot makes as Ann, who leads both investigators."""
    view = view_of(wild.playing(), ANN)
    view.table = evolve(view.table, game=game)
    question = Question(prompt, tuple(choices))
    (pick,) = BRAINS[INVESTIGATOR](view, question, random.Random(seed))
    return pick


STEP = Text("ask/step", (ADA,))


# Allies


def test_an_ally_that_has_something_to_tell_is_talked_with() -> None:
    prompt = Text("ask/ally_act", (TOBIAS, ADA))
    choices = [end("ally_rests"), Choice("talk", Text("choice/talk", (TOBIAS,)))]

    assert picked(mere(), prompt, [*choices, *lead(TOBIAS, "g")]) == "talk"


def test_advice_says_with_whom_nobody_talks(advise: Advise) -> None:
    advise(Advice("", meanwhile=Goals(talks={TOBIAS: Answer(0.0)})))
    prompt = Text("ask/ally_act", (TOBIAS, ADA))
    choices = [end("ally_rests"), Choice("talk", Text("choice/talk", (TOBIAS,)))]

    assert picked(mere(), prompt, choices) == "ally_rests"


def test_investigators_go_where_an_ally_has_something_to_tell() -> None:
    game = at(mere(), ada="a", reed="b", tobias="g")
    silent = evolve(game, tales={**game.tales, TOBIAS: ()})

    assert picked(game, STEP, [*to("move", "b", "c"), end("end_turn")]) == "c"
    assert picked(silent, STEP, [*to("move", "b", "c"), end("end_turn")]) == "end_turn"


def test_whoever_is_in_the_room_of_an_ally_waits_for_its_phase() -> None:
    game = at(mere(), ada="g", tobias="g")

    assert picked(game, STEP, [*to("move", "c"), end("end_turn")]) == "end_turn"


def test_an_ally_comes_to_whoever_can_talk_with_it() -> None:
    game = at(mere(), ada="a", reed="b", tobias="g")
    prompt = Text("ask/ally_act", (TOBIAS, ADA))

    assert picked(game, prompt, [end("ally_rests"), *lead(TOBIAS, "c")]) == "c"


def test_an_ally_is_led_where_advice_says(advise: Advise) -> None:
    advise(Advice("", meanwhile=Goals(leads={TOBIAS: Lead("room/yard")})))
    game = at(mere(), ada="a", reed="a", tobias="c")
    prompt = Text("ask/ally_act", (TOBIAS, ADA))

    assert picked(game, prompt, [end("ally_rests"), *lead(TOBIAS, "a", "g", "e")]) == "e"


def test_somebody_joins_an_ally_that_has_to_be_led(advise: Advise) -> None:
    advise(
        Advice(
            "",
            meanwhile=Goals(leads={HARROW: Lead("room/yard")}, talks=dict.fromkeys(BOTH, QUIET)),
        )
    )
    game = at(mere(), ada="a", reed="a", harrow="g")

    assert picked(game, STEP, [*to("move", "b", "c"), end("end_turn")]) == "c"


def test_a_deed_with_an_ally_is_done_in_its_room(advise: Advise) -> None:
    deeds = {"deed/ring": Task(60.0, allies={HARROW: ()})}
    advise(Advice("", meanwhile=Goals(deeds=deeds, talks={TOBIAS: QUIET})))
    game = at(mere(), ada="a", reed="a", harrow="g")
    ring = Choice("ring", Text("choice/deed", ("deed/ring",)))

    assert picked(game, STEP, [*to("move", "b", "c"), ring, end("end_turn")]) == "c"
    assert picked(at(game, harrow="a"), STEP, [*to("move", "b"), ring, end("end_turn")]) == "ring"


def test_a_deed_with_an_ally_waits_for_the_one_whose_conditions_hold(advise: Advise) -> None:
    never = (Seen(Fact.DONE, "deed/never"),)
    deeds = {"deed/ring": Task(60.0, allies={TOBIAS: never, HARROW: ()})}
    advise(Advice("", meanwhile=Goals(deeds=deeds, talks=dict.fromkeys(BOTH, QUIET))))
    game = at(mere(), ada="a", reed="a", harrow="g", tobias="a")
    ring = Choice("ring", Text("choice/deed", ("deed/ring",)))

    assert picked(game, STEP, [*to("move", "b", "c"), ring, end("end_turn")]) == "c"


def test_an_ally_gets_away_from_a_monster() -> None:
    monsters = game_of(wild.playing()).monsters
    game = at(mere(monsters={"m2": evolve(monsters["m2"], space="mere/m")}), harrow="m")
    prompt = Text("ask/ally_act", (HARROW, ADA))

    assert picked(game, prompt, [end("ally_rests"), *lead(HARROW, "n", "f")]) in {"n", "f"}
    assert picked(at(game, harrow="c"), prompt, [end("ally_rests"), *lead(HARROW, "e")]) != "e"


def test_the_monster_beside_an_ally_is_fought_first() -> None:
    monsters = game_of(wild.playing()).monsters
    one, other = (evolve(monsters["m2"], monster_id=f"m{n}", space="mere/a") for n in (1, 2))
    game = at(mere(monsters={"m1": one, "m2": evolve(other, space="mere/c")}), ada="c", tobias="c")
    choices = [
        Choice(name, Text("choice/attack_unarmed", (name,)), (Point("monster", name),))
        for name in ("m1", "m2")
    ]

    assert picked(game, STEP, choices) == "m2"


def test_an_ally_is_healed() -> None:
    healing = next(card for card, (damage, _) in CARDS.healing.items() if damage)
    use = Choice("use", Text("choice/use_card", (healing,)))
    game = at(mere(), ada="c", tobias="c")
    hurt = game.with_character(TOBIAS, damage=4)

    assert picked(hurt, STEP, [use, end("end_turn")]) == "use"
    assert picked(game, STEP, [use, end("end_turn")]) == "end_turn"


def test_what_an_ally_cannot_use_is_taken_back() -> None:
    knife = Item("i8", "item/knife", (), WeaponFacts(AttackKind.BLADED, 0, 1, 0))
    game = mere().with_character(TOBIAS, items=(KEY, knife))
    takes = [
        Choice(
            item.piece,
            Text("choice/take_from", (item.card, TOBIAS)),
            (Point("possession", item.piece), Point("investigator", TOBIAS)),
        )
        for item in (knife, KEY)
    ]

    assert picked(game, Text("ask/trade", (ADA,)), [*takes, end("trade_done")]) == "i9"
    assert picked(game, Text("ask/trade", (ADA,)), [takes[0], end("trade_done")]) == "trade_done"


def test_an_ally_that_one_more_wound_could_kill_does_not_fight() -> None:
    monsters = game_of(wild.playing()).monsters
    game = at(mere(monsters={"m2": evolve(monsters["m2"], space="mere/c")}), tobias="c")
    attack = Choice("fight", Text("choice/attack_unarmed", ("m2",)), (Point("monster", "m2"),))
    choices = [end("ally_rests"), attack]

    assert picked(game, Text("ask/ally_act", (TOBIAS, ADA)), choices) == "fight"
    hurt = game.with_character(TOBIAS, damage=3)
    assert picked(hurt, Text("ask/ally_act", (TOBIAS, ADA)), choices) == "ally_rests"


def test_an_ally_that_could_die_of_it_is_not_led_into_a_pit() -> None:
    game = at(mere(features=marks(pit="a")), ada="b", reed="b", tobias="c")
    prompt = Text("ask/ally_act", (TOBIAS, ADA))

    assert picked(game, prompt, [end("ally_rests"), *lead(TOBIAS, "a")]) == "a"
    hurt = game.with_character(TOBIAS, damage=3)
    assert picked(hurt, prompt, [end("ally_rests"), *lead(TOBIAS, "a")]) == "ally_rests"


def test_the_action_of_a_turn_comes_before_a_way_on_which_it_is_not_needed(
    advise: Advise,
) -> None:
    advise(Advice("", meanwhile=Goals(talks={TOBIAS: Answer(150.0)})))
    game = at(mere(laid=laid("meadow")), ada="a", reed="m", tobias="g")
    explore = Choice("explore", Text("choice/explore", ("room/meadow",)))
    choices = [*to("move", "c"), explore, end("end_turn")]

    assert picked(game, STEP, choices) == "explore"
    assert picked(evolve(game, laid={}), STEP, choices) == "c"


def test_nobody_waits_beside_a_monster_without_using_the_action(advise: Advise) -> None:
    """From another space of the room, the investigator comes to the monster beside an ally."""
    advise(Advice("", meanwhile=Goals(talks={TOBIAS: Answer(60.0)})))
    monsters = game_of(wild.playing()).monsters
    there = mere(monsters={"m2": evolve(monsters["m2"], space="mere/b")})
    game = at(there, ada="a", reed="a", tobias="b")
    choices = [*to("move", "b", "c"), end("end_turn")]

    assert picked(evolve(game, has_action=True), STEP, choices) == "b"
    assert picked(evolve(game, has_action=False), STEP, choices) == "end_turn"


def test_nobody_steps_aside_from_a_monster_for_little() -> None:
    """Both spaces are in the room of the ally; the one beside the monster is a little worse."""
    monsters = game_of(wild.playing()).monsters
    there = mere(monsters={"m2": evolve(monsters["m2"], space="mere/a")}, has_action=False)
    game = at(there, ada="a", reed="a", tobias="a")
    choices = [*to("move", "b"), end("end_turn")]

    assert picked(game, STEP, choices) == "end_turn"
    stunned = evolve(game.monsters["m2"], stun=1)
    assert picked(evolve(game, monsters={"m2": stunned}), STEP, choices) == "end_turn"


def test_of_two_allies_the_one_in_danger_is_heard_first() -> None:
    monsters = game_of(wild.playing()).monsters
    there = mere(monsters={"m2": evolve(monsters["m2"], space="mere/g")}, has_action=False)
    game = at(there, ada="c", reed="c", tobias="g", harrow="a")
    game = evolve(game, tales={**game.tales, HARROW: game.tales[TOBIAS]})

    assert picked(game, STEP, [*to("move", "a", "g"), end("end_turn")]) == "g"


def test_a_deed_is_left_to_whoever_has_what_advice_says(advise: Advise) -> None:
    advise(Advice("", meanwhile=Goals(deeds={"deed/lift": Task(90.0, "room/road", KEY.card)})))
    choices = [Choice("lift", Text("choice/deed", ("deed/lift",))), end("end_turn")]
    game = at(mere(allies={}), ada="c")

    assert picked(game, STEP, choices) == "end_turn"
    assert picked(game.with_investigator(ADA, items=(KEY,)), STEP, choices) == "lift"


# Water, pits, boats


def test_nobody_stays_in_the_water() -> None:
    game = at(mere(steps_left=1), ada="h")

    assert picked(game, STEP, [*to("move", "k"), end("end_turn")]) == "k"
    with_boat = evolve(game, features=marks(boat="h"), allies={})
    assert picked(with_boat, STEP, [*to("move", "k"), end("end_turn")]) == "end_turn"


def test_nobody_goes_through_the_water_with_the_last_step() -> None:
    game = at(mere(laid=laid("yard"), allies={}, submerged=("mere/e",)), ada="c", reed="b")
    choices = [*to("move", "e"), end("end_turn")]

    assert picked(evolve(game, steps_left=2), STEP, choices) == "e"
    assert picked(evolve(game, steps_left=1), STEP, choices) == "end_turn"


def test_whoever_gets_out_of_the_water_avoids_a_pit() -> None:
    game = at(mere(features=marks(pit="b")), ada="d")
    banks = [*lead(ADA, "b", "c", "m")]

    picks = {picked(game, Text("ask/out_of_water", (ADA,)), banks, seed) for seed in range(8)}

    assert "b" not in picks


def test_of_two_ways_bots_go_by_that_without_a_pit() -> None:
    game = at(mere(laid=laid("landing"), features=marks(pit="n")), ada="m")
    board = Board(game)

    assert board.ways("mere/m")["mere/n"] == 1 + PIT
    assert Board(mere()).ways("mere/m")["mere/n"] == 1


def test_a_way_by_boat_is_for_whoever_has_its_key(advise: Advise) -> None:
    """From the wood the landing is across a barrier, or a long way round."""
    advise(Advice("", boat_key="item/oar"))
    game = at(mere(laid=laid("landing"), features=marks(boat="g"), allies={}), ada="g")
    with_key = game.with_investigator(ADA, items=(KEY,))
    choices = [*to("move", "c"), *to("row", "k"), end("end_turn")]

    assert picked(with_key, STEP, choices) == "k"
    assert picked(with_key, STEP, [*to("move", "c"), end("end_turn")]) == "end_turn"
    assert picked(game, STEP, [*to("move", "c"), end("end_turn")]) == "c"


def test_whoever_has_the_key_goes_to_the_boat(advise: Advise) -> None:
    advise(Advice("", boat_key=KEY.card))
    game = mere(laid=laid("landing"), features=marks(boat="g", pit="n"), allies={})
    game = at(game, ada="c", reed="b").with_investigator(ADA, items=(KEY,))
    choices = [*to("move", "a", "e", "g"), end("end_turn")]

    assert picked(game, STEP, choices) == "g"
    assert picked(evolve(game, features={}), STEP, choices) == "e"


def test_a_boat_passes_under_the_bridge() -> None:
    ways = Board(mere(features=marks(boat="d"))).ways("mere/d", rowing=1)

    assert ways["mere/h"] == 1


def test_somebody_without_the_key_comes_along_towards_something_to_do(advise: Advise) -> None:
    advise(Advice("", boat_key=KEY.card))
    game = mere(laid=laid("landing"), features=marks(boat="g"), allies={})
    game = at(game, ada="g", reed="g").with_investigator(REED, items=(KEY,))
    across = Text("name/part", ("room/landing", 1))
    choices = [end("stay_ashore"), Choice("board", Text("choice/board"))]

    assert picked(game, Text("ask/board", (ADA, across)), choices) == "board"
    nothing = evolve(game, laid={})
    assert picked(nothing, Text("ask/board", (ADA, across)), choices) == "stay_ashore"


def test_nobody_stays_behind_in_the_water(advise: Advise) -> None:
    advise(Advice("", boat_key=KEY.card))
    game = at(mere(features=marks(boat="d"), allies={}), ada="d", reed="d")
    choices = [end("stay_ashore"), Choice("board", Text("choice/board"))]

    assert picked(game, Text("ask/board", (ADA, "room/road")), choices) == "board"


# Curses, votes, facts


def test_what_lifts_curses_is_used_while_somebody_is_cursed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = attrs.evolve(CARDS, uses={"item/cross": Use.AGAINST_CURSES})
    monkeypatch.setattr("client.games.first_edition.bot.investigator.CARDS", cards)
    use = Choice("use", Text("choice/use_card", ("item/cross",)))
    game = mere()

    assert game.investigators[ADA].curses
    assert picked(game, STEP, [use, end("end_turn")]) == "use"
    lifted = game.with_investigator(ADA, curses=0)
    assert picked(lifted, STEP, [use, end("end_turn")]) == "end_turn"


def test_what_lifts_curses_lifts_that_of_an_ally_in_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cards = attrs.evolve(CARDS, uses={"item/cross": Use.AGAINST_CURSES})
    monkeypatch.setattr("client.games.first_edition.bot.investigator.CARDS", cards)
    use = Choice("use", Text("choice/use_card", ("item/cross",)))
    whom = [
        Choice(one, Text("choice/whom", (one,)), (Point("investigator", one),))
        for one in (ADA, TOBIAS)
    ]
    game = mere().with_investigator(ADA, curses=0, damage=4).with_character(TOBIAS, curses=1)
    beside = game.with_character(TOBIAS, space=game.investigators[ADA].space)

    assert picked(game, STEP, [use, end("end_turn")]) == "end_turn"
    assert picked(beside, STEP, [use, end("end_turn")]) == "use"
    assert picked(beside, Text("ask/whom", ("item/cross",)), whom) == TOBIAS


@pytest.mark.rule("W-DECIDE-47")
def test_investigators_vote_by_chance_and_as_often_as_advice_says(advise: Advise) -> None:
    options = [Choice(one, Text("choice/answer", (Text(f"mere/{one}"),))) for one in ("x", "y")]
    prompt = Text("ask/vote", (ADA, Text("mere/why")))

    def shares() -> float:
        votes = [picked(mere(), prompt, options, seed) for seed in range(60)]
        return votes.count("x") / len(votes)

    assert 0.3 < shares() < 0.7
    advise(Advice("", votes={"mere/x": 3.0}))
    assert shares() > 0.65
    advise(Advice("", votes={"mere/x": 0.0}))
    assert shares() == 0


def test_goals_are_those_of_the_objective_that_was_chosen_in_secret(advise: Advise) -> None:
    chosen = game_of(wild.playing()).objective
    game = at(mere(allies={}, objective=chosen), ada="c", reed="a")
    goals = {"objective/flood": Goals(guards={"room/wood": Guard(60.0, people=2)})}
    advise(Advice("", goals=goals))

    assert game.revealed is None
    assert picked(game, STEP, [*to("move", "a", "g"), end("end_turn")]) == "g"


@pytest.mark.parametrize(
    ("seen", "holds"),
    [
        (Seen(Fact.TALKED, TOBIAS, at_least=1, at_most=1), True),
        (Seen(Fact.TALKED, HARROW), False),
        (Seen(Fact.UNTOLD, TOBIAS, at_least=2), True),
        (Seen(Fact.UNTOLD, TOBIAS, at_least=3), False),
        (Seen(Fact.TOLD_TALE, "tale/oars"), True),
        (Seen(Fact.TOLD_TALE, "tale/lamp"), False),
        (Seen(Fact.ALLY, TOBIAS), True),
        (Seen(Fact.ALLY, TOBIAS, within="room/road"), True),
        (Seen(Fact.ALLY, TOBIAS, within="room/wood"), False),
        (Seen(Fact.ALLY_GONE, TOBIAS), False),
        (Seen(Fact.STORY_CARD, "mania/lids"), True),
        (Seen(Fact.STORY_CARD, "mania/lids", within=ADA), True),
        (Seen(Fact.STORY_CARD, "mania/lids", within=REED), False),
        (Seen(Fact.STORY_CARD, "trail/reeds"), False),
        (Seen(Fact.CURSES, ADA, at_least=2), True),
        (Seen(Fact.CURSES, HARROW), True),
        (Seen(Fact.CURSES, "", at_least=3), False),
        (Seen(Fact.ANSWERED, "flood"), True),
    ],
)
def test_facts_of_the_outdoors_are_read_from_the_open_table(seen: Seen, holds: bool) -> None:
    view = view_of(wild.playing(), ANN)

    game = view.table.game

    assert isinstance(game, FirstEditionTable)
    assert OpenTable(view, game).holds(seen) is holds


def test_an_ally_that_is_gone_is_counted() -> None:
    game = mere()
    left = evolve(game, allies={HARROW: game.allies[HARROW]})

    assert OpenTable(view_of(wild.playing(), ANN), left).holds(Seen(Fact.ALLY_GONE, TOBIAS))


def test_talks_are_counted_in_a_practice_game_whose_log_begins_after_them() -> None:
    later = TableView(ROOM, None)

    assert OpenTable(later, mere()).holds(Seen(Fact.TALKED, TOBIAS))
