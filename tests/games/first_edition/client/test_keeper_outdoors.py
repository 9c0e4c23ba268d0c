"""The keeper's bot outdoors: allies, curses, pits and water, hidden actions, and the ritual."""

import functools
import random

import attrs
import pytest

from client.games.first_edition.bot import BRAINS, hunt, keeper, pool
from client.games.first_edition.bot.advice import CARDS
from client.games.first_edition.bot.advice.forms import (
    Advice,
    Answer,
    Fact,
    Power,
    Scheme,
    Seen,
    Sign,
)
from client.games.first_edition.bot.board import PIT, Board
from client.games.first_edition.bot.hunt import Mind
from client.games.first_edition.bot.seen import OpenTable
from client.model.tables import TableView
from client.plugs.brains import Brain
from protocol.common.asks import Choice, Point, Question, RefusedChoice
from protocol.common.text import Text
from protocol.event import Record, hidden
from protocol.games.first_edition import words
from protocol.games.first_edition.events import PuzzleAttemptBegan
from protocol.games.first_edition.puzzles import next_action, words_of
from protocol.games.first_edition.table import (
    CardId,
    FirstEditionTable,
    KeeperAction,
    Monster,
    MonsterBack,
    OpenTest,
    ToldTale,
)
from protocol.games.first_edition.words import KEEPER, Attribute, FeatureKind, TaleKind
from protocol.values import evolve
from server.authoring import playing, simulation
from server.authoring.bot_brains import BotBrains
from tests.games.first_edition.outing_pack import BY_THE_LAKE, TURNED_ROUND, outing

pytestmark = pytest.mark.issue(41)

FERRYMAN = "ally/test-ferryman"


class Enough(Exception):
    """The game has gone far enough."""


@attrs.frozen
class Noting(BotBrains):
    """Sensible keepers, whose questions and answers are noted until one question comes."""

    until: str = attrs.field(kw_only=True)
    noted: list[tuple[FirstEditionTable, Question, tuple[str, ...]]] = attrs.field(
        factory=list, kw_only=True
    )

    def brain(self, role: str) -> Brain:
        if role != KEEPER:
            return super().brain(role)

        def noted(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
            picks = BRAINS[KEEPER](view, question, rng)
            if isinstance(game := view.table.game, FirstEditionTable):
                self.noted.append((game, question, picks))
            if question.prompt.subject == self.until:
                raise Enough
            return picks

        return noted


def noted(
    story: str, seed: int, until: str
) -> list[tuple[FirstEditionTable, Question, tuple[str, ...]]]:
    bots = Noting("random", {KEEPER: "sensible"}, until=until)
    simulation.play(playing.trial_of(outing(), story), seed, 3, bots)
    return bots.noted


@functools.cache
def table() -> FirstEditionTable:
    """Return a table of the outing as the keeper sees it in the first turn."""
    return noted(BY_THE_LAKE, 1, "ask/keeper_action")[-1][0]


def mind(game: FirstEditionTable, scheme: Scheme | None = None, prompt: str = "ask/any") -> Mind:
    view = TableView("room", 0)
    question = Question(Text(prompt, ("action/test-walk", 1)), ())
    table, rng = OpenTable(view, game), random.Random(1)
    return Mind(game, scheme or Scheme(), Board(game), question, table, rng)


def monster(at: str, *, health: int = 4, flies: bool = False) -> Monster:
    (crow,) = table().monsters.values()
    back = hidden(MonsterBack("token/test", health, 1))
    return evolve(crow, space=at, back=back, is_flying=flies, stun=0)


def with_pit(game: FirstEditionTable, at: str) -> FirstEditionTable:
    (pit,) = [one for one in game.features.values() if one.kind is FeatureKind.PIT]
    return evolve(game, features={**game.features, pit.feature_id: evolve(pit, at=at)})


@pytest.mark.rule("W-PIT-2", "W-FLY-4")
def test_pits_are_far_for_what_does_not_fly() -> None:
    board = Board(with_pit(table(), "shore/b"))

    assert board.monster_steps(monster("hut/a", flies=True), "hut/a", "shore/a") == 2
    assert board.monster_steps(monster("hut/a"), "hut/a", "shore/a") == 2 + PIT


def step_worth(game: FirstEditionTable, one: Monster, space: str) -> float:
    there = evolve(game, monsters={one.monster_id: one})
    points = (Point("monster", one.monster_id), Point("space", space))
    choice = Choice("1", Text("choice/lead_to", (one.kind, space)), points, "move")
    return keeper.worth(mind(there, prompt="ask/lead"), choice)


def people_at(space: str) -> FirstEditionTable:
    game = evolve(table(), allies={})
    for who in game.investigators:
        game = game.with_investigator(who, space=space)
    return game


@pytest.mark.rule("W-PIT-2", "W-PIT-4")
def test_a_monster_steps_into_the_only_way_s_pit_unless_it_could_die() -> None:
    game = with_pit(people_at("shore/a"), "shore/b")

    assert step_worth(game, monster("hut/a"), "shore/b") > 10
    assert step_worth(game, monster("hut/a", health=2), "shore/b") < 10
    assert step_worth(game, monster("hut/a", health=2, flies=True), "shore/b") > 10


@pytest.mark.rule("W-WATER-2", "W-WATER-5", "W-FLY-5")
def test_only_what_flies_ends_its_way_in_water() -> None:
    game, told = people_at("shore/c"), mind(table())

    assert step_worth(game, monster("shore/a", flies=True), "shore/c") > 10
    assert step_worth(game, monster("shore/a"), "shore/c") < 10
    assert told.toll(monster("shore/a"), "shore/c", is_last=True) > 0
    assert told.toll(monster("shore/a"), "shore/c", is_last=False) == 0
    assert told.toll(monster("shore/a"), "shore/a", is_last=True) == 0


@pytest.mark.rule("W-DECIDE-26")
def test_monsters_go_for_allies_that_the_scheme_wants() -> None:
    """Usually an investigator who is a little farther away is worth more."""
    game = people_at("hut/a")
    game = evolve(game, allies=table().allies).with_character(FERRYMAN, space="shore/b")
    one = monster("shore/a", flies=True)

    def goes_to_ally(scheme: Scheme) -> bool:
        told = mind(game, scheme)
        away = Board(game).monster_steps(one, "shore/a", "shore/b")
        return told.target(one, "shore/a") == away - told.prey(game.allies[FERRYMAN])

    assert not goes_to_ally(Scheme())
    assert goes_to_ally(Scheme(prey={FERRYMAN: 1.0}))
    assert goes_to_ally(Scheme(unheard=4.0))


@pytest.mark.rule("W-DECIDE-32")
def test_an_ally_that_was_heard_is_worth_no_more_than_others() -> None:
    told = mind(table(), Scheme(unheard=4.0))
    ferryman = table().allies[FERRYMAN]
    before = told.wanted(ferryman)

    tale = ToldTale("tale/test-ford", TaleKind.RUMOUR, None)
    told.table = OpenTable(told.table.view, evolve(told.game, heard={FERRYMAN: (tale,)}))

    assert told.wanted(ferryman) == before - 4


def test_an_ally_that_the_scheme_spares_is_not_attacked() -> None:
    points = (Point("monster", "m1"), Point("investigator", FERRYMAN))
    choice = Choice("1", Text("choice/monster_attack", ("monster/test-crow", FERRYMAN)), points)

    assert keeper.worth(mind(table()), choice) > 10
    assert keeper.worth(mind(table(), Scheme(prey={FERRYMAN: -99.0})), choice) < 10


@pytest.mark.rule("W-MOVED-2", "W-WATER-2", "W-PIT-2")
@pytest.mark.parametrize(("who", "space"), [(FERRYMAN, "shore/c"), (None, "shore/d")])
def test_people_are_led_into_water_and_pits(who: str | None, space: str) -> None:
    game = table()
    name = who or next(iter(game.investigators))
    game = game.with_character(name, space="shore/b")
    choice = Choice("1", Text("choice/lead_to", (name, space)), (Point("space", space),), "move")
    harmless = evolve(game, submerged=(), features={})

    worth = keeper.worth(mind(game, prompt="ask/lead"), choice)
    assert worth > keeper.worth(mind(harmless, prompt="ask/lead"), choice)


def test_a_monster_walks_on_to_a_victim_that_is_worth_the_way() -> None:
    """However much a victim is worth: whoever stands beside it needs no step."""
    game = evolve(people_at("shore/b"), monsters={"m1": monster("shore/a", flies=True)})
    game = evolve(game, story_cards={})
    rich = mind(game, Scheme(prey={"room/test-green": 5.0}))

    assert keeper._walk(rich, game.monsters["m1"]) == 65
    assert keeper._walk(rich, monster("shore/b", flies=True)) < 10


ACTION = "choice/keeper_action"


@pytest.mark.rule("W-DECIDE-43")
@pytest.mark.parametrize(
    ("cost", "dear", "waits"),
    [
        (1, 4, True),
        (1, 3, False),
        (1, 9, False),
    ],
)
def test_threat_waits_for_a_better_action_that_comes_soon(
    cost: int, dear: int, waits: bool
) -> None:
    """Two investigators bring two threat in each turn; what costs no turn is not put off."""
    game = evolve(table(), threat=2, monsters={})
    better = Text(ACTION, ("action/they-come", dear))
    told = mind(game)
    told.question = evolve(
        told.question,
        refused=(RefusedChoice(better, Text("refusal/threat", (dear, 2)), "K-KEEPER-8"),),
    )
    cheap = Choice("1", Text(ACTION, ("action/old-hurts", cost)))

    assert (keeper.worth(told, cheap) == 0) is waits
    told.game = evolve(game, hidden_actions=())
    assert keeper.worth(told, cheap) > 0


@pytest.mark.rule("W-KACTION-1")
def test_what_nobody_has_seen_yet_is_worth_more() -> None:
    game = evolve(
        table(), hidden_actions=(hidden(KeeperAction("action/they-come", 3)),), monsters={}
    )
    choice = Choice("1", Text(ACTION, ("action/they-come", 3)))

    shown = evolve(game, hidden_actions=())
    assert keeper.worth(mind(game), choice) > keeper.worth(mind(shown), choice)


@pytest.mark.rule("W-DECIDE-48", "W-DECIDE-49")
def test_the_keeper_explores_where_a_find_lies_and_ends_with_the_ritual() -> None:
    game = noted(TURNED_ROUND, 1, "ask/keeper_action")[-1][0]
    empty = evolve(game, story_cards={})
    told = mind(game)

    assert keeper._by_power(told, EXPLORE) > keeper._by_power(mind(empty), EXPLORE)
    assert not told.is_ritual_done()
    told.table.view.records.append(
        Record(0, 0, 0, PuzzleAttemptBegan(KEEPER, "puzzle/test-rite", 2))
    )
    assert not told.is_ritual_done()
    told.game = evolve(game, solved=("puzzle/test-rite",))
    assert told.is_ritual_done()


EXPLORE = "action/test-search"


@pytest.fixture(autouse=True)
def _powers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot know what an action of the outing does."""
    actions = {**CARDS.actions, EXPLORE: Power.EXPLORES}
    monkeypatch.setattr(keeper, "CARDS", attrs.evolve(CARDS, actions=actions))


def spoilt(kind: words.TestKind, value: int, roll: int, curses: int = 1, points: int = 0) -> float:
    game = table()
    who = next(iter(game.investigators))
    test = OpenTest(who, Attribute.STRENGTH, kind, value, Text("about/any"), roll=roll)
    game = evolve(
        game.with_investigator(who, curses=curses, skill_points=points, attributes=LUCKY), test=test
    )
    return keeper.worth(mind(game), Choice("1", Text("choice/use_curse"), (), "use"))


@pytest.mark.rule("W-DECIDE-24")
@pytest.mark.parametrize(
    ("value", "spared", "fails"), [(6, False, True), (2, False, False), (6, True, False)]
)
def test_an_ally_s_curse_is_for_a_test_that_it_would_pass(
    value: int, spared: bool, fails: bool
) -> None:
    test = OpenTest(FERRYMAN, Attribute.STRENGTH, words.TestKind.COMBAT, value, Text("about/any"))
    scheme = Scheme(prey={FERRYMAN: -99.0}) if spared else Scheme()
    choice = Choice("1", Text("choice/ally_fails", (FERRYMAN,)), (), "use")

    assert (keeper.worth(mind(evolve(table(), test=test), scheme), choice) > 10) is fails


@pytest.mark.rule("W-PIT-12", "W-PIT-14")
def test_a_pit_is_dug_beside_people() -> None:
    """Below their feet it harms nobody, and where a pit is already none is placed."""
    told = mind(with_pit(people_at("shore/b"), "shore/a"))
    told.question = Question(Text("ask/space", ("action/test-dig", "feature/pit")), ())

    def worth(at: str) -> float:
        return keeper.worth(told, Choice("1", Text("choice/space", (at,)), (Point("space", at),)))

    assert worth("shore/d") > worth("shore/b") > worth("shore/a")


@pytest.mark.rule("W-WATER-3", "W-WATER-5")
def test_a_monster_is_placed_and_led_on_dry_land() -> None:
    one = monster("shore/c")
    told = mind(evolve(people_at("shore/c"), monsters={"m1": one}))
    told.question = Question(Text("ask/space", ("action/test-call", one.kind)), ())

    def worth(subject: str, at: str) -> float:
        return keeper.worth(told, Choice("1", Text(subject, (one.kind, at)), (Point("space", at),)))

    assert worth("choice/space", "hut/b") > worth("choice/space", "shore/c")
    told = mind(evolve(people_at("shore/d"), monsters={"m1": one}))
    told.question = Question(Text("ask/out_of_water", (one.kind,)), ())
    assert worth("choice/lead_to", "shore/b") > worth("choice/lead_to", "shore/d")
    told.game = evolve(told.game, features={})
    told.board = Board(told.game)
    assert worth("choice/lead_to", "shore/b") < worth("choice/lead_to", "shore/d")


LUCKY = dict.fromkeys(Attribute, 4)


@pytest.mark.rule("W-CURSE-3", "W-CURSE-8")
def test_a_curse_is_for_a_roll_that_passed_and_would_often_fail() -> None:
    assert spoilt(words.TestKind.COMBAT, 5, 3) > 0
    assert spoilt(words.TestKind.COMBAT, 5, 6) == 0
    assert spoilt(words.TestKind.COMBAT, 8, 3) == 0
    assert spoilt(words.TestKind.COMBAT, 7, 3) == 0
    assert spoilt(words.TestKind.COMBAT, 7, 3, curses=2) > 0
    assert spoilt(words.TestKind.COMBAT, 6, 3) > 0
    assert spoilt(words.TestKind.FIRE, 6, 3) == 0
    assert spoilt(words.TestKind.COMBAT, 6, 3, points=1) == 0


@pytest.mark.rule("W-DECIDE-44")
def test_hidden_actions_fit_the_answer_of_the_same_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part of the setup is answered by itself."""
    is_drowning = (Seen(Fact.ANSWERED, "drown"),)
    advice = Advice(
        BY_THE_LAKE,
        picks={
            "action/test-dig": Answer(200.0, is_drowning, otherwise=-200.0),
            "action/test-scare": Answer(-200.0, is_drowning, otherwise=200.0),
        },
    )
    monkeypatch.setattr(keeper, "advice_on", lambda _story: advice)
    answers: set[str] = set()
    for seed in range(8):
        (_, story, (answer,)), (_, actions, picks) = noted(BY_THE_LAKE, seed, "ask/take_actions")[
            -2:
        ]
        option = _subject(story, answer)
        taken = {_subject(actions, pick) for pick in picks}
        answers.add(option)
        assert ("action/test-dig" in taken) is (option == "by-the-lake/drown")
        assert ("action/test-scare" in taken) is (option == "by-the-lake/starve")

    assert len(answers) == 2


def _subject(question: Question, pick: str) -> str:
    name, *_ = next(one.text.params for one in question.choices if one.choice_id == pick)
    return name.subject if isinstance(name, Text) else str(name)


@pytest.mark.rule("W-DECIDE-44")
def test_all_hidden_actions_come_up_and_no_power_twice_before_others() -> None:
    cards = ("action/they-walk", "action/they-run", "action/sparks", "action/old-hurts")
    question = Question(
        Text(pool._ACTIONS, (2,)),
        tuple(Choice(card, Text("choice/take_action", (card, 1))) for card in cards),
        at_least=2,
        at_most=2,
    )
    taken: list[set[CardId]] = []
    for seed in range(200):
        worths = pool.worths(
            TableView("room", 0), table(), Advice(""), question, random.Random(seed)
        )
        ranked = sorted(zip(worths, cards, strict=True), reverse=True)
        taken.append({card for _, card in ranked[:2]})

    assert set().union(*taken) == set(cards)
    both = sum(some == {"action/they-walk", "action/they-run"} for some in taken)
    assert both < len(taken) / 5


@pytest.mark.rule("W-STORY-5")
def test_a_keeper_who_does_not_know_goes_by_what_betrays_the_objective() -> None:
    bury, burn, blind = Scheme(finds=1.0), Scheme(finds=2.0), Scheme(finds=5.0)
    days = (Seen(Fact.COUNTER, "days", at_least=1),)
    advice = Advice(
        TURNED_ROUND,
        schemes={"objective/test-bury": bury, "objective/test-burn": burn},
        blind=blind,
        suspicions=(Sign("objective/test-burn", days),),
    )
    unknown = evolve(table(), objective=hidden("objective/test-bury").closed())
    lines = unknown.counters
    later = evolve(unknown, counters={**lines, "days": evolve(lines["days"], amount=1)})

    def scheme(game: FirstEditionTable) -> Scheme:
        return hunt.scheme_of(advice, OpenTable(TableView("room", 0), game))

    assert scheme(unknown) is blind
    assert scheme(later) is burn
    assert scheme(evolve(later, revealed="objective/test-bury")) is bury
    assert scheme(evolve(later, objective=hidden("objective/test-bury"))) is bury


@pytest.mark.rule("W-DECIDE-48", "W-DECIDE-49", "W-STORY-8")
def test_the_keeper_explores_and_solves_the_ritual() -> None:
    ritual = [
        (game, question, picks)
        for seed in range(3)
        for game, question, picks in noted(TURNED_ROUND, seed, "ask/never")
        if question.prompt.subject == "ask/puzzle"
    ]

    assert ritual
    for game, question, picks in ritual:
        assert game.attempt is not None
        action = next_action(game.puzzles[game.attempt.puzzle])
        texts = {choice.choice_id: choice.text for choice in question.choices}
        assert action is not None
        assert [texts[pick] for pick in picks] == [words_of(action)]
