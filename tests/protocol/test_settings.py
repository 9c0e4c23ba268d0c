"""The settings of a table: their bounds, and records of tables opened with fewer settings."""

import pytest

from protocol import codec
from protocol.common.events import RoomOpened
from protocol.common.table import Settings
from protocol.errors import Malformed
from protocol.event import Cut, read

OPENED = ("room", "toy", "core/one", b"h" * 32)


def opened(tag: str, *fields: codec.Plain) -> RoomOpened:
    """Return the event of a record with these public fields."""
    happened = read("room", Cut(codec.pack((0, 0, 0, tag, fields, ())), ())).event
    assert isinstance(happened, RoomOpened)
    return happened


def test_a_table_of_old_is_read_with_the_settings_that_held_then() -> None:
    settings = opened("room_opened", *OPENED, (True, 60, False, False)).settings

    assert settings == Settings(
        spectators=True,
        time_limit_seconds=60,
        secrets_go_along=False,
        publish=False,
        bots_wait=False,
    )
    assert settings.takebacks
    assert settings.spectators_delay_seconds == 0


@pytest.mark.parametrize("tag", ["room_opened", "room_opened/2"])
@pytest.mark.parametrize(
    "fields", [(), (*OPENED,), (*OPENED, 1), (*OPENED, ()), ((True, 60, False, False),)]
)
def test_a_table_opened_with_other_fields_is_malformed(
    tag: str, fields: tuple[codec.Plain, ...]
) -> None:
    with pytest.raises(Malformed):
        opened(tag, *fields)


@pytest.mark.parametrize("seconds", [-1, 3601])
def test_the_delay_of_those_who_look_on_is_bounded(seconds: int) -> None:
    with pytest.raises(ValueError, match="spectators_delay_seconds"):
        Settings(spectators_delay_seconds=seconds)
    with pytest.raises(Malformed):
        opened("room_opened/2", *OPENED, (True, 0, True, True, True, seconds))
