"""Stepping through a recorded game."""

import pytest

from client.journal.replay_model import ReplayModel
from client.locale import load
from client.locale.speaker import Speaker
from protocol.games.second_edition.table import SecondEditionTable
from tests.games.second_edition.client.scripted import asked, words
from tests.games.second_edition.client.stage import OnStage, model_of, play


def _round(replay: ReplayModel) -> int | None:
    game = replay.table.game
    return game.round_number if isinstance(game, SecondEditionTable) else None


def test_it_begins_at_the_beginning() -> None:
    assert ReplayModel(asked().records).table.game is None


def test_its_end_is_the_table() -> None:
    script = asked()
    replay = ReplayModel(script.records, len(script.records))

    assert replay.table == script.table


def test_forward_and_back_meet() -> None:
    replay = ReplayModel(asked().records)
    way = [replay.position]
    while replay.step(1):
        way.append(replay.position)

    back = [replay.position]
    while replay.step(-1):
        back.append(replay.position)

    assert back == way[::-1]


def test_leaps_go_by_round() -> None:
    replay = ReplayModel(asked().records)

    rounds = []
    while replay.leap(1):
        rounds.append(_round(replay))

    assert rounds == [1, 2, 2]


def test_there_is_nothing_before_the_beginning() -> None:
    replay = ReplayModel(asked().records)

    assert (replay.step(-1), replay.leap(-1), replay.position) == (False, False, 0)


def test_it_writes_the_journal_once_for_all() -> None:
    lines = ReplayModel(asked().records).journal(Speaker(load("en"), words()))

    assert lines[-1].text == "Ada Lorne’s turn"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (("end",), "Ada Lorne’s turn"),
        (("end", "home"), "The beginning."),
        (("left",), "! There is nothing further that way."),
        (("pagedown", "right", "o"), "Close the sluice gate"),
    ],
)
def test_keys_step_through_it(keys: tuple[str, ...], said: str) -> None:

    async def press(stage: OnStage) -> None:
        await stage.press(*keys)
        assert said in stage.text

    play(model_of(None), press, replay=asked())
