"""A game whose host chose a scenario of another pack after a seat had chosen whom to play."""

from protocol import messages
from protocol.common.table import Settings, Stage
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_id_of, room_of
from tests.project.fair_game import SCENARIO, Harbour


def switched(*, to_bundled: bool) -> bytes:
    """Play a game whose host switched between two packs in the lobby; return its file."""
    house = Harbour()
    ada = house.client("Ada")
    order = [house.scenario_id(), SCENARIO]
    first, then = reversed(order) if to_bundled else order
    ada.port.open_table(first, Settings())
    house.settle()
    _claim(house, ada, first)
    ada.port.choose_scenario(then)
    house.settle()
    _claim(house, ada, then)
    ada.port.set_ready(True)
    house.settle()
    ada.port.start()
    house.settle()
    ada.port.propose_give_up()
    house.settle()
    assert room_of(house, ada).stage is Stage.OVER
    ada.send(messages.ExportTable(ada.next_serial(), room_id_of(ada)))
    house.settle()
    return b"".join(part.data for part in ada.session.all(messages.ExportPart))


def _claim(house: Harbour, client: Client, scenario: str) -> None:
    assert client.model.lobby.scenarios is not None
    line = next(line for line in client.model.lobby.scenarios if line.scenario == scenario)
    client.port.claim(tuple(line.roster.characters[:2]))
    house.settle()
