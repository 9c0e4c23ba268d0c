"""An idle client costs nothing: no frame is drawn, and nothing ticks."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from client.model import ClientModel
from client.status import Disconnected
from tests.client.scripted import asked, lobby, playing
from tests.client.stage import OnStage, model_of, play

IDLE = 0.3
"""Seconds that nobody does anything."""


def _timers(loop: Any) -> list[float]:
    """Return in how many seconds the loop means to do something by itself."""
    return [timer.when() - loop.time() for timer in loop._scheduled if not timer.cancelled()]


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
    """Neither by frames nor by timers; a question is a minute old at the earliest in a minute."""

    async def wait(stage: OnStage) -> None:
        # Until the last key's own timers have run out.
        await asyncio.sleep(IDLE)
        before = stage.terminal.application.render_counter
        assert [due for due in _timers(asyncio.get_running_loop()) if due < 30] == []
        await asyncio.sleep(IDLE)
        assert stage.terminal.application.render_counter == before

    play(make(), wait)


def test_what_counts_down_is_drawn_once_a_second() -> None:
    """No more often than it changes."""
    model = model_of(asked())
    model.status = Disconnected(9.0, "gone")

    async def wait(stage: OnStage) -> None:
        await asyncio.sleep(IDLE)
        dues = [due for due in _timers(asyncio.get_running_loop()) if due < 30]
        assert len(dues) == 1
        assert 0 < dues[0] <= 1.1

    play(model, wait)


def test_a_frame_like_the_last_one_is_not_written() -> None:
    """A slow line carries nothing for it."""

    async def draw(stage: OnStage) -> None:
        before = len(stage.raw)
        frames = stage.terminal.application.render_counter
        stage.model.changed()
        await stage.settle()
        assert stage.terminal.application.render_counter == frames + 1
        assert len(stage.raw) == before

    play(model_of(asked()), draw)
