"""Bots of the first edition: no brain blocks a game, and each side plays for its side."""

import random
from collections import Counter
from collections.abc import Mapping

import attrs
import pytest

from client.games.first_edition.bot import BRAINS as SIDES
from client.model.tables import TableView
from client.plugs.brains import Brain
from protocol.common.asks import Choice, Question
from protocol.common.table import Seat
from protocol.common.text import Text
from protocol.games.first_edition.puzzles import next_action, words_of
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER
from protocol.values import evolve
from server.authoring import playing, simulation
from server.authoring.bot_brains import BotBrains
from server.authoring.simulation import Played, Trial
from tests.games.first_edition.house import SCENARIO, manor
from tests.games.first_edition.outing_pack import BY_THE_LAKE, outing

pytestmark = pytest.mark.issue(40)

SENSIBLE = BotBrains()
GOOD_KEEPER = BotBrains("random", {KEEPER: "sensible"})
GOOD_INVESTIGATORS = BotBrains("random", {INVESTIGATOR: "sensible"})


@pytest.fixture(scope="module", name="trial")
def load_trial() -> Trial:
    return playing.trial_of(manor(), SCENARIO)


@attrs.frozen
class Watched(BotBrains):
    """Sensible bots, of which each answer is noted."""

    asked: list[tuple[FirstEditionTable | None, Question, tuple[str, ...]]] = attrs.field(
        factory=list, kw_only=True
    )

    def brain(self, role: str) -> Brain:
        inner = SIDES[role]

        def watched(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
            parts: list[str] = []
            for part in question.row:
                before = rng.getstate()
                picks = inner(view, part, rng)
                after = rng.getstate()
                rng.setstate(before)
                # The same view, question and generator give the same answer.
                assert inner(view, part, rng) == picks
                rng.setstate(after)
                lets_be = view.may_interrupt and not picks
                assert lets_be or part.faults(picks) is None
                game = view.table.game
                assert game is None or isinstance(game, FirstEditionTable)
                self.asked.append((game, part, picks))
                parts += picks
            return tuple(parts)

        return watched


@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (5, 5)])
def test_all_answers_are_legal_and_the_game_ends(trial: Trial, seed: int, players: int) -> None:
    """With two players, the only investigator is a bot."""
    bots = Watched()

    played = simulation.play(trial, seed, players, bots)

    assert not played.fault
    assert played.winners
    assert len(bots.asked) > 40


@pytest.mark.rule("W-PLAYER-2", "W-PLAYER-3", "W-EX-19")
def test_one_bot_leads_two_investigators_to_the_end() -> None:
    story = attrs.evolve(manor().scenarios[SCENARIO], outdoor=True)
    pack = attrs.evolve(manor(), scenarios={SCENARIO: story})
    watched = Watched()

    played = simulation.play(playing.trial_of(pack, SCENARIO), 3, 2, watched)

    assert not played.fault
    assert played.winners
    last = max((game for game, _, _ in watched.asked if game), key=lambda game: game.round_number)
    assert len({one.seat for one in last.investigators.values()}) == 1
    assert len(last.used_investigators) >= 2


@pytest.mark.parametrize(("seed", "players"), [(16, 5), (23, 5)])
def test_blind_answers_in_a_window_for_several_are_legal(seed: int, players: int) -> None:
    """A window for several traumas takes neither a pass beside a card nor one card twice."""
    twelfth = playing.trial_of(manor(), "manor/twelfth-night")

    played = simulation.play(twelfth, seed, players, BotBrains("random"))

    assert not played.fault
    assert played.winners


def test_both_brains_get_by_without_a_table() -> None:
    question = Question(
        Text("ask/any"), tuple(Choice(str(at), Text("choice/any")) for at in range(3))
    )

    for brain in SIDES.values():
        picks = brain(TableView("room", 0), question, random.Random(1))
        assert question.faults(picks) is None


def test_a_puzzle_is_solved_by_the_shortest_way(trial: Trial) -> None:
    """The bot leaves a puzzle only when it cannot act any more."""
    bots = Watched()
    for seed in range(1, 5):
        simulation.play(trial, seed, 3, bots)
    asked = [
        (game, question, picks)
        for game, question, picks in bots.asked
        if question.prompt.subject == "ask/puzzle" and game is not None
    ]

    assert asked
    for game, question, picks in asked:
        assert game.attempt is not None
        action = next_action(game.puzzles[game.attempt.puzzle])
        texts = {choice.choice_id: choice.text for choice in question.choices}
        if action is not None and words_of(action) in texts.values():
            assert [texts[pick] for pick in picks] == [words_of(action)]


VARIANTS = Question(
    Text("ask/variants"),
    (Choice("0", Text("choice/no_variant")), Choice("1", Text("choice/variant_timed_puzzles"))),
)


@pytest.mark.parametrize(
    ("is_bot", "others_are", "picks"),
    [
        (True, False, ("1",)),
        (True, True, ("0",)),
        (False, False, ("0",)),
    ],
)
@pytest.mark.rule("K-DECIDE-106")
def test_bots_leave_the_variants_to_people(
    monkeypatch: pytest.MonkeyPatch, is_bot: bool, others_are: bool, picks: tuple[str, ...]
) -> None:
    """A bot of the server says yes, and people decide; bots alone play the plain game."""
    seats = {0: Seat(0, "Robot", b"", is_bot=is_bot), 1: Seat(1, "Ann", b"", is_bot=others_are)}
    view = TableView("room", 0)
    view.table = evolve(
        view.table, game=FirstEditionTable(), room=evolve(view.table.room, seats=seats)
    )

    for brain in SIDES.values():
        assert brain(view, VARIANTS, random.Random(1)) == picks


def shares(trial: Trial, bots: BotBrains, games: int, first: int = 1) -> Mapping[str, float]:
    """Return the share of games that each side wins, all numbers of players taking turns."""
    won = Counter(side for one in games_of(trial, bots, games, first) for side in one.winners)
    return {side: won[side] / games for side in (KEEPER, INVESTIGATOR)}


def games_of(trial: Trial, bots: BotBrains, games: int, first: int = 1) -> list[Played]:
    played = [simulation.play(trial, first + at, 2 + at % 4, bots) for at in range(games)]
    assert not [one.fault for one in played if one.fault]
    return played


@pytest.mark.long
def test_each_sensible_side_beats_bots_at_random(trial: Trial) -> None:
    assert shares(trial, GOOD_INVESTIGATORS, 80)[INVESTIGATOR] >= 0.75
    assert shares(trial, GOOD_KEEPER, 80)[KEEPER] >= 0.85


@pytest.mark.long
def test_sensible_sides_are_a_match_for_each_other(trial: Trial) -> None:
    won = shares(trial, SENSIBLE, 120)

    assert 0.35 <= won[KEEPER] <= 0.65


@pytest.mark.long
@pytest.mark.issue(41)
def test_outdoors_sensible_investigators_win_far_more_than_those_at_random() -> None:
    """The keeper of both plays at random, and one story goes by what investigators hear and do."""
    lake = playing.trial_of(outing(), BY_THE_LAKE)

    sensible = shares(lake, GOOD_INVESTIGATORS, 40)[INVESTIGATOR]
    assert sensible >= shares(lake, BotBrains("random"), 40)[INVESTIGATOR] + 0.25
