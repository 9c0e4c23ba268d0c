"""The watermark of the disk: the server refuses new tables before existing ones suffer."""

import attrs
import pytest
from twisted.logger import capturedLogs, formatEvent

from protocol import messages
from protocol.common.table import Settings
from server.lobby.services.disk import DiskWatermark
from server.lobby.services.seams import LobbyServices
from tests.kit.servers.house import House
from tests.kit.servers.tables import seat_all

pytestmark = pytest.mark.issue(15)


@attrs.define
class Disk:
    """A disk with a given number of free bytes."""

    free: int = 1000

    def look(self) -> int:
        """Return the free bytes; a negative number stands for a disk that fails."""
        if self.free < 0:
            raise OSError(5, "no")
        return self.free


@pytest.fixture
def disk() -> Disk:
    """Return a disk that is just full enough."""
    return Disk()


@pytest.fixture
def house(disk: Disk) -> House:
    """Return a server that needs 1000 free bytes."""

    class WithDisk(House):
        """A server whose disk is the test's."""

        def _services(self) -> LobbyServices:
            services = super()._services()
            return attrs.evolve(services, disk=DiskWatermark(disk.look, 1000))

    return WithDisk()


def codes(house: House, disk: Disk, *free: int) -> list[str]:
    """Return the codes with which opening a table is refused, for each number of free bytes."""
    ada = house.client("Ada")
    for each in free:
        disk.free = each
        ada.port.open_table(house.scenario_id(), Settings())
        house.settle()
    return [refusal.code for refusal in ada.session.all(messages.Refusal)]


def test_no_table_is_opened_below_the_watermark(house: House, disk: Disk) -> None:
    assert codes(house, disk, 1000, 999, 0, 1000) == ["table/disk_low"] * 2
    assert len(house.lobby.registry.summaries) == 2


def test_the_operator_is_told_when_the_disk_is_low_and_when_no_longer(
    house: House, disk: Disk
) -> None:
    with capturedLogs() as told:
        codes(house, disk, 1000, 999, 500, 1000, 1000)

    said = [formatEvent(event) for event in told if "disk" in event["log_namespace"]]
    assert [line.partition(":")[0] for line in said] == [
        "no table can be opened",
        "tables can be opened again",
    ]


def test_tables_that_are_there_go_on_below_it(house: House, disk: Disk) -> None:
    disk.free = 1000
    (ada,) = seat_all(house, ["Ada"])
    disk.free = 0

    ada.port.chat("still here")
    house.settle()

    assert not ada.session.all(messages.Refusal)


def test_disk_that_does_not_say_hinders_nobody(house: House, disk: Disk) -> None:
    with capturedLogs() as told:
        assert codes(house, disk, -1) == []
    assert "how much of the disk is free is not known" in "".join(map(str, map(formatEvent, told)))
