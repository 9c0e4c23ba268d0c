"""Bots play whole games, and choose as one would expect."""

import random

import attrs
import pytest

from client.games.cards.bot import BRAINS
from client.games.cards.bot.brain import worth
from client.games.cards.bot.mind import Mind
from client.games.cards.bot.odds import chance
from client.model.tables import TableView
from protocol.common.asks import Choice, Point, Question, RefusedChoice
from protocol.common.table import Seat, Table
from protocol.common.text import Text
from protocol.event import Event, cut
from protocol.games.cards.table import Place
from protocol.games.cards.words import Phase, Token, Zone
from server.authoring.bot_brains import BotBrains
from server.authoring.driver import PackLibrary, SeededEntropy
from server.authoring.playing import trial_of
from server.authoring.simulation import play
from server.games.cards.rules import locations
from server.kernel.batch_writer import Batch
from server.kernel.chance import seeded
from server.kernel.room import Room
from tests.games.cards.rules.bench import Bench
from tests.games.cards.rules.worlds import ANNA, BEN, content_of
from tests.games.cards.simulate import Simulation, core

pytestmark = pytest.mark.issue(42)
SEEDS = 8
"""Games of which bots win more than half; all are played only if they lose them."""


@attrs.define(eq=False)
class BotGame(Simulation):
    """A game in which the bots of all seats see what their seats are sent."""

    views: dict[int, TableView] = attrs.field(factory=dict)

    def after_batch(self, happened: Event, origin: int, batch: Batch) -> None:
        del happened, origin
        for seat in range(self.players):
            view = self.views.setdefault(seat, TableView(self.room.room_id, seat))
            view.receive(tuple(cut(stored, seat) for stored in batch.stored))

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        picks = BRAINS[""](self.views[seat], question, self.rng)
        assert question.faults(picks) is None, (question.prompt, picks)
        return picks


@pytest.mark.parametrize("players", [1, 3])
def test_bots_play_scenario_one_to_its_end(players: int) -> None:
    pack = core()
    room = Room("room-bots", PackLibrary(pack), SeededEntropy(players), make_chance=seeded)
    game = BotGame(room, random.Random(players), players, pack, "casebook/one")

    game.play()

    assert game.game.phase is Phase.OVER


def test_the_chance_of_a_test_counts_the_tokens_of_the_bag() -> None:
    bag = ("-1", "-2", "0", "fail")

    assert chance(bag, 3, 3) == 0.25
    assert chance(bag, 4, 3) == 0.5
    assert chance(bag, 9, 0) == 0.75


def test_random_bots_answer_every_question_and_lose() -> None:
    played = play(trial_of(core(), "casebook/one"), 3, 2, BotBrains("random"))

    assert (played.fault, played.epilogue) == ("", "resolution/ebb-none")


def test_sensible_bots_reach_a_resolution_at_one_of_these_seeds() -> None:
    trial = trial_of(core(), "casebook/one")
    games = (play(trial, seed, 2, BotBrains()) for seed in range(SEEDS))

    assert any(played.winners and not played.fault for played in games)


# What choices are worth


RAT = "- {id: card/rat, fight: 2, health: 2, evade: 2, damage: 1, horror: 1}"
DOG = "- {id: card/dog, type: asset, cost: 3, health: 2, sanity: 1}"


def asked(bench: Bench, prompt: Text, *choices: Choice, refused: str = "") -> Mind:
    """Return what the bot of Anna knows when it is asked."""
    view = TableView("room", 0)
    view.table = attrs.evolve(Table(), game=bench.game_table)
    reason = RefusedChoice(Text("choice/advance_act"), Text("refused/objective", (refused,)), "")
    question = Question(prompt, choices, refused=(reason,) if refused else ())
    mind = Mind.of(view, question)
    assert mind is not None
    return mind


def option(subject: str, *params: int | str | Text, piece: str = "") -> Choice:
    points = (Point("card", piece),) if piece else ()
    return Choice(f"{subject} {params}", Text(f"choice/{subject}", params), points)


def turn(health: int = 7) -> Text:
    return Text("ask/action", (ANNA, 3, health, 7))


def best(mind: Mind) -> str:
    """Return the subject of the choice that is worth most."""
    return max(mind.question.choices, key=lambda one: worth(mind, one)).text.subject


def test_a_bot_evades_what_would_strike_at_each_of_its_actions() -> None:
    bench = Bench(content_of(enemies=RAT))
    bench.bag("0", "-1", "-2")
    place = bench.piece("card/l1")
    bench.tokens_on(place, clue=2)
    search = option("investigate", 3, 2, 2, piece=place)
    assert best(asked(bench, turn(), search, option("draw"))) == "choice/investigate"

    rat = bench.engage("card/rat", ANNA)
    bench.set_active(ANNA)
    fight = option("fight", "card/rat", 1, 2, 1, 2, piece=rat)
    evade = option("evade", "card/rat", 4, 2, 1, 1, piece=rat)
    assert best(asked(bench, turn(), search, fight, evade)) == "choice/evade"


def test_a_bot_prefers_the_weapon_to_its_fists() -> None:
    bench = Bench(content_of(enemies=RAT))
    bench.bag("0", "-1", "-2")
    rat = bench.engage("card/rat", ANNA)
    fists = option("fight", "card/rat", 3, 2, 1, 2, piece=rat)
    weapon = option("use_to", "card/hook", Text("way/fight", (5, 2)))
    evade = option("evade", "card/rat", 1, 2, 1, 1, piece=rat)

    assert best(asked(bench, turn(), fists, weapon, evade)) == "choice/use_to"


def test_a_bot_goes_where_the_act_wants_it() -> None:
    bench = Bench(content_of())
    locations.draw_links(bench.game)
    bench.change(acts_left=1)
    bench.walk(ANNA, "card/l3")
    ways = [option("move", code, piece=bench.piece(code)) for code in ("card/l2", "card/l4")]

    mind = asked(bench, turn(), *ways, refused="card/l1")
    assert worth(mind, ways[0]) > worth(mind, ways[1])
    mind = asked(bench, turn(), *ways, refused="card/l5")
    assert worth(mind, ways[0]) < worth(mind, ways[1])


def test_a_bot_is_carried_to_where_it_wants_to_be() -> None:
    bench = Bench(content_of())
    locations.draw_links(bench.game)
    bench.walk(ANNA, "card/l1")
    for place in bench.game_table.lying(Zone.MAP):
        if not place.face:
            bench.reveal(place.code)
    bench.tokens_on(bench.piece("card/l4"), clue=2)
    landings = [
        option("card", code, piece=bench.piece(code)) for code in ("card/l2", "card/l3", "card/l4")
    ]

    mind = asked(bench, Text("ask/card", (ANNA,)), *landings)
    assert [worth(mind, one) for one in landings] == sorted(worth(mind, one) for one in landings)
    assert worth(mind, landings[2]) > worth(mind, landings[0])


def test_a_bot_is_not_carried_away_in_a_window() -> None:
    bench = Bench(content_of())
    boat = option("use_nth_to", "card/boat", Text("way/move"))
    leave = Choice("pass", Text("choice/pass"), ends=True)

    assert best(asked(bench, Text("ask/window_before", (ANNA, 3, 3, 50)), boat, leave)) == (
        "choice/pass"
    )


@pytest.mark.parametrize(("own", "is_taken"), [(7, False), (3, True)])
def test_a_bot_gives_up_an_asset_only_in_need(own: int, is_taken: bool) -> None:
    bench = Bench(content_of(players=DOG))
    dog = bench.lay("card/dog", Zone.PLAY, ANNA)
    mind = asked(
        bench, Text("ask/damage", (ANNA, 2, own)), option("damage", "card/dog", 2, piece=dog)
    )

    assert (worth(mind, mind.question.choices[0]) > 0) == is_taken


def test_a_bot_takes_harm_for_something_only_while_enough_is_left() -> None:
    bench = Bench(content_of())
    price = Text("price/and", (Text("price/resources", (1,)), Text("price/horror", (1,))))
    use = option("use_for", "card/trance", price, Text("way/draw", (1,)))
    window = Text("ask/window", (Text("happening/turn-begins"),))

    assert worth(asked(bench, window, use), use) > 10
    bench.tokens_on(bench.own(ANNA), horror=4)
    assert bench.count(ANNA, Token.HORROR) == 4
    assert worth(asked(bench, window, use), use) < 10


def test_a_bot_votes_for_the_investigator_of_a_person_as_lead() -> None:
    bench = Bench(content_of(), (ANNA, BEN))
    mind = asked(bench, Text("ask/lead_by_vote"), option("person", ANNA), option("person", BEN))
    mine, other = mind.question.choices
    seats = {0: Seat(0, "Anna", b"", is_bot=True), 1: Seat(1, "Ben", b"")}
    room = attrs.evolve(mind.view.table.room, seats=seats)
    mind.view.table = attrs.evolve(mind.view.table, room=room)

    assert worth(mind, other) > worth(mind, mine)


def test_a_bot_attacks_a_swarm_before_its_host() -> None:
    bench = Bench(content_of(enemies=RAT))
    rat, under = bench.engage("card/rat", ANNA), bench.engage("card/rat", ANNA)
    bench.tokens_on(rat, damage=1)
    choices = [option("card", "card/rat", piece=one) for one in (rat, under)]
    mind = asked(bench, Text("ask/cards", (ANNA, 1)), *choices)
    assert worth(mind, choices[0]) > worth(mind, choices[1])

    table = bench.game_table
    below = attrs.evolve(table.cards[under], at=Place(Zone.SWARM, rat), engaged=())
    bench.change(cards={**table.cards, under: below})
    mind = asked(bench, Text("ask/cards", (ANNA, 1)), *choices)
    assert worth(mind, choices[0]) < worth(mind, choices[1])


def test_a_bot_does_not_go_to_an_enemy_with_its_last_action() -> None:
    bench = Bench(content_of(enemies=RAT))
    locations.draw_links(bench.game)
    bench.walk(ANNA, "card/l3")
    bench.lay("card/rat", Zone.AT, bench.piece("card/l2"))
    bench.set_active(ANNA)
    way = option("move", "card/l2", piece=bench.piece("card/l2"))
    early = worth(asked(bench, turn(), way), way)

    who = attrs.evolve(bench.game_table.investigators[ANNA], actions=1)
    bench.change(investigators={**bench.game_table.investigators, ANNA: who})

    assert worth(asked(bench, turn(), way), way) < early
