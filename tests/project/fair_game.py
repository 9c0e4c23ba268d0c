"""The example game of docs/fair-play.md: an evening with everything that an audit counts.

Ada, Ben and a bot of the server play the pack that authors begin with. The first start fails
although Ada has opened her share; a question runs out of time; they go back once.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from importlib import resources

import attrs

from content.games.second_edition.loader import load_source
from content.games.second_edition.schema.pack import Pack
from content.reading.files import read_files
from protocol import messages
from protocol.common.table import Settings, Stage
from server.lobby.rooms.room_clock import START_SECONDS
from tests.games.second_edition.simulate import SeededEntropy
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of

PACK = "harbour"
SCENARIO = f"{PACK}/first-night"
SEED = 10
"""Seed of a short game, in which the last roll just succeeds."""
LIMIT_SECONDS = 120
PATIENCE = 4000
"""Maximum length of the game in half seconds."""


@attrs.define(eq=False)
class Harbour(House):
    """A server that offers the pack of `manse content new harbour` beside the core."""

    def beside(self) -> tuple[Pack, ...]:
        return (load_source(PACK, pack_files()).pack,)


def pack_files() -> Mapping[str, bytes]:
    """Return the files of the pack that is played."""
    files = read_files(resources.files("content.games.second_edition") / "starter")
    return {name: data.replace(b"NAME/", f"{PACK}/".encode()) for name, data in files.items()}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return the files of a pack as a zip with the same bytes each time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            into.writestr(info, data)
    return packed.getvalue()


def exported() -> bytes:
    """Play the game, and return the file that Ada can export at its end."""
    house = Harbour(entropy=SeededEntropy(SEED))
    ada, ben = house.client("Ada"), house.client("Ben")
    ada.port.open_table(SCENARIO, Settings(time_limit_seconds=LIMIT_SECONDS))
    house.settle()
    house.join(ben, ada.session.last(messages.TableOpened).code)
    ada.port.add_bot()
    house.settle()
    _start_without(house, ada, ben)
    _start(house, ada, ben)
    house.settle(LIMIT_SECONDS + 1)
    _play(house, ada, ben)
    ada.send(messages.ExportTable(ada.next_serial(), room_id_of(ada)))
    house.settle()
    return b"".join(part.data for part in ada.session.all(messages.ExportPart))


def _get_ready(house: Harbour, *clients: Client) -> None:
    for client in clients:
        if not room_of(house, client).seats[_seat(client)].characters:
            taken = {p for seat in room_of(house, client).seats.values() for p in seat.characters}
            assert client.model.lobby.scenarios is not None
            line = next(s for s in client.model.lobby.scenarios if s.scenario == SCENARIO)
            client.port.claim(
                (next(piece for piece in line.roster.characters if piece not in taken),)
            )
            house.settle()
        client.port.set_ready(True)
        house.settle()


def _seat(client: Client) -> int:
    assert client.model.view is not None
    seat = client.model.view.seat
    assert seat is not None
    return seat


def _start_without(house: Harbour, ada: Client, ben: Client) -> None:
    """Start, and let Ben commit to a share that he never opens."""
    _get_ready(house, ada, ben)
    hear, ben.session.hear = ben.session.hear, None
    digest = hashlib.sha256(b"never shown").digest()
    ada.port.start()
    house.settle()
    ben.send(messages.CommitShare(ben.next_serial(), room_id_of(ben), digest))
    house.settle(START_SECONDS + 1)
    assert room_of(house, ada).stage is Stage.LOBBY
    ben.session.hear = hear
    ben.port.enter(room_id_of(ben))
    house.settle()


def _start(house: Harbour, ada: Client, ben: Client) -> None:
    _get_ready(house, ben)
    ada.port.start()
    house.settle()
    assert room_of(house, ada).stage is Stage.PLAYING


def _play(house: Harbour, ada: Client, ben: Client) -> None:
    """Play to the end, and go back once on the way."""
    house.bot(ada, 1)
    house.bot(ben, 2)
    has_gone_back = False
    for _ in range(PATIENCE):
        room = house.host_of(ada).room.table
        if room.room.stage is Stage.OVER:
            assert has_gone_back
            return
        if not has_gone_back and len(room.checkpoints) > 2:
            ada.port.propose_take_back(max(room.checkpoints))
            has_gone_back = True
        house.settle(0.5)
    raise AssertionError("the game does not end")
