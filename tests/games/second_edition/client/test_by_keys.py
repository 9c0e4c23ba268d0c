"""Whole game by keys alone: from the list of tables to the end, on an emulated terminal."""

from protocol.common.table import Stage
from tests.games.second_edition.client.stage import OnStage, play
from tests.games.second_edition.client.typist import Typist
from tests.kit.servers.house import House


async def open_table(typist: Typist) -> None:
    await typist.press("n", "enter")
    await typist.press(" ")
    await typist.press("down", " ")
    await typist.press("r")
    await typist.press("s")


def test_a_whole_game_is_played_by_keys() -> None:
    """Players need nothing but a keyboard, from opening the table to the last box."""
    house = House()
    client = house.client("Ann")

    async def game(stage: OnStage) -> None:
        typist = Typist(stage, client)
        await open_table(typist)
        assert typist.stage_of_room() is Stage.PLAYING
        await typist.play_on()
        await typist.read_on()
        assert "You have " in stage.text

    shown = play(client.model, game, port=client.port)

    assert "Traceback" not in shown.raw
