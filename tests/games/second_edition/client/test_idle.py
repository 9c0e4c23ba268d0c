"""An idle client draws no frame and runs no timer."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from client.model.model import ClientModel
from client.model.status import Disconnected
from tests.games.second_edition.client.scripted import asked, lobby, playing
from tests.games.second_edition.client.stage import OnStage, model_of, play, until

SOON = 30.0
"""Seconds within which no timer may fire: the age of a question first changes after a minute."""
TURNS = 20
"""Number of turns of the loop, in which any work that waits for no timer would show."""


def _timers() -> list[float]:
    """Return the delays of the event loop's timers that are due soon."""
    loop: Any = asyncio.get_running_loop()
    dues = [timer.when() - loop.time() for timer in loop._scheduled if not timer.cancelled()]
    return [due for due in dues if due < SOON]


@pytest.mark.parametrize(
    "make",
    [
        lambda: model_of(None, is_lobby=True),
        lambda: model_of(lobby()),
        lambda: model_of(playing()),
        lambda: model_of(asked()),
    ],
    ids=["tables", "waiting room", "nothing asked", "asked"],
)
def test_nothing_is_drawn_where_nothing_changes(make: Callable[[], ClientModel]) -> None:

    async def wait(stage: OnStage) -> None:
        await until(lambda: not _timers())
        assert _timers() == []
        before = stage.terminal.application.render_counter
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert stage.terminal.application.render_counter == before

    play(make(), wait)


def test_what_counts_down_is_drawn_once_a_second() -> None:
    model = model_of(asked())
    model.status = Disconnected(9.0, "gone")

    async def wait(stage: OnStage) -> None:
        await until(lambda: len(_timers()) == 1)
        dues = _timers()
        assert len(dues) == 1
        assert dues[0] <= 1.1

    play(model, wait)


def test_a_frame_like_the_last_one_is_not_written() -> None:

    async def draw(stage: OnStage) -> None:
        before = len(stage.raw)
        frames = stage.terminal.application.render_counter
        stage.model.changed()
        await stage.settle()
        assert stage.terminal.application.render_counter == frames + 1
        assert len(stage.raw) == before

    play(model_of(asked()), draw)
