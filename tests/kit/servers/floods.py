"""Floods of a server in a process of its own, and the memory that the server uses.

Each flood is what one hostile machine can do within the limits of one address.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import attrs
from OpenSSL import SSL

from bench.processes import Process
from client.keyring.identity import load_player_key
from content.reading.files import MAX_PACK_BYTES, read_files
from content.reading.yaml_subset import MAX_FILE_BYTES
from protocol import messages
from protocol.common.table import Settings
from protocol.frames import LENGTH_BYTES, LIMIT_AFTER_LOGIN
from protocol.keys import SigningKey
from protocol.login import Hello, LoginRefused, Welcome, decode_login
from protocol.messages import ClientMessage, Sender, ServerMessage, decode_message, encode_message
from protocol.plugs import games
from server.authoring import starter
from tests.net.attackers import Wire, dialled, made

CONNECTIONS: Final = 60
"""Number of connections at one time; the server takes 64 from one address."""
SCENARIO: Final = "core/night-train"


@attrs.define
class Watched:
    """A server process and its highest measured memory."""

    server: Process
    shared: str = ""
    """A finished game that everybody may open, with the largest possible pack."""
    most_kib: int = 0
    let_in: int = 0
    """Number of logins that the server accepted."""
    refused: int = 0
    """Number of logins that the server refused."""
    _keys: int = 0

    def look(self) -> int:
        """Return the server's memory in KiB, and update the maximum."""
        now = self.server.memory_kib()
        self.most_kib = max(self.most_kib, now)
        return now

    def rest(self, seconds: float) -> int:
        """Wait, then return the server's memory in KiB."""
        time.sleep(seconds)
        return self.server.memory_kib()

    def new_key(self) -> SigningKey:
        """Return a key that was not used before."""
        self._keys += 1
        return SigningKey.from_seed(self._keys.to_bytes(32, "big"))

    @contextlib.contextmanager
    def guest(
        self, key: SigningKey | None = None, *, receive_bytes: int | None = None
    ) -> Iterator[Wire]:
        """Log in, with a new key unless one is given.

        `receive_bytes` is the size of the socket's receive buffer.
        """
        with dialled(self.server.port, receive_bytes=receive_bytes) as wire:
            wire.shake()
            hello = decode_login(wire.frame() or b"", Hello)
            wire.say(made(hello, wire.exporter, key or self.new_key()))
            answer = decode_login(wire.frame() or b"", Welcome, LoginRefused)
            self.let_in += isinstance(answer, Welcome)
            self.refused += isinstance(answer, LoginRefused)
            yield wire


def tell(wire: Wire, *said: ClientMessage) -> None:
    """Send messages in one write; errors are ignored, since the server may have closed."""
    with contextlib.suppress(SSL.Error):
        wire.say(*map(encode_message, said))


def heard(wire: Wire) -> Iterator[ServerMessage]:
    """Yield messages from the server until it closes or stays silent."""
    with contextlib.suppress(SSL.Error):
        while (payload := wire.frame()) is not None:
            yield decode_message(payload, Sender.SERVER)


def opened(wire: Wire) -> str:
    """Open a table, and return its id."""
    tell(wire, messages.OpenTable(1, Settings(), SCENARIO))
    return next(one for one in heard(wire) if isinstance(one, messages.TableOpened)).room_id


def never_reading(watched: Watched) -> None:
    """Request long replies as fast as allowed, and never read them."""
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(watched.guest(receive_bytes=4096)) for _ in range(CONNECTIONS)]
        for count in (190, *(45,) * 9):
            for wire in wires:
                tell(wire, *(messages.ListScenarios(n) for n in range(count)))
            time.sleep(0.9)
            watched.look()


def byte_by_byte(watched: Watched) -> None:
    """Begin frames of the longest length, send them byte by byte, and never end them."""
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(watched.guest()) for _ in range(CONNECTIONS)]
        for wire in wires:
            wire.tls.sendall(LIMIT_AFTER_LOGIN.to_bytes(LENGTH_BYTES, "big") + bytes(60_000))
        for _ in range(5):
            for wire in wires:
                wire.tls.sendall(b"\0")
            time.sleep(0.2)
            watched.look()


def many_keys(watched: Watched) -> None:
    """Log in with one new key after another, and disconnect."""
    for turn in range(300):
        with watched.guest():
            if turn % 25 == 0:
                watched.look()


def small_frames(watched: Watched) -> None:
    """Send more small messages than the server allows, again and again."""
    for _ in range(25):
        with watched.guest() as wire:
            tell(wire, *(messages.ListTables(n) for n in range(1000)))
            watched.look()


def rooms(watched: Watched) -> None:
    """Open as many tables as several keys can."""
    for _ in range(6):
        with watched.guest() as wire:
            for _ in range(4):
                tell(wire, *(messages.OpenTable(n, Settings(), SCENARIO) for n in range(10)))
                time.sleep(0.2)
                watched.look()


def chat(watched: Watched) -> None:
    """Chat at a table of one's own, with long lines."""
    for _ in range(4):
        with watched.guest() as wire:
            room_id = opened(wire)
            for _ in range(4):
                tell(wire, *(messages.Chat(n, room_id, "word " * 80) for n in range(40)))
                time.sleep(0.2)
                watched.look()


def invitations(watched: Watched) -> None:
    """Make invitations to a table, one after another."""
    for _ in range(4):
        with watched.guest() as wire:
            room_id = opened(wire)
            for _ in range(4):
                tell(wire, *(messages.Invite(n, room_id, True) for n in range(40)))
                time.sleep(0.2)
                watched.look()


def packs(watched: Watched) -> None:
    """Request the largest pack with new keys as often as is allowed, and read next to nothing."""
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(watched.guest(receive_bytes=4096)) for _ in range(CONNECTIONS)]
        for _ in range(4):
            for wire in wires:
                tell(wire, *(messages.ExportPack(n, watched.shared) for n in range(4)))
            for _ in range(9):
                time.sleep(0.1)
                watched.look()
        assert all(isinstance(next(heard(wire)), messages.ExportPart) for wire in wires)


def with_largest_pack(folder: Path) -> Path:
    """Write a pack of the largest possible size into a folder; return the pack's folder."""
    where = folder / "harbour"
    starter.begin(str(where), games()[0], "core")
    (where / "items").mkdir(exist_ok=True)
    left = MAX_PACK_BYTES - sum(map(len, read_files(where).values()))
    line = b"# " + b"x" * 120 + b"\n"
    for number in range(-(-left // MAX_FILE_BYTES)):
        most = min(MAX_FILE_BYTES, left - number * MAX_FILE_BYTES) - len(b"[]\n")
        padding = line * (most // len(line))
        (where / "items" / f"more-{number}.yaml").write_bytes(padding + b"[]\n")
    return where


def shared_game(server: Process, folder: Path) -> str:
    """Play a game with the pack of `with_largest_pack`, share it with all, and return its room."""
    reach = ("--server", f"127.0.0.1:{server.port}", "--fingerprint", server.fingerprint)
    code = "import sys; from client.commands.cli import bot; sys.exit(bot(sys.argv[1:]))"
    played = subprocess.run(
        [
            *(sys.executable, "-c", code, "--open", "harbour/first-night", "--party", "1"),
            *("--seed", "3", "--identity", str(folder), "--json", *reach),
        ],
        env={**os.environ, "MANSE_HOME": str(folder)},
        stdout=subprocess.PIPE,
        timeout=120,
        check=True,
    )
    room_id: str = json.loads(played.stdout.splitlines()[-1])["table"]
    with Watched(server).guest(load_player_key(folder, os.urandom)) as wire:
        tell(wire, messages.ShareGame(1, room_id, True))
        assert next(one for one in heard(wire) if getattr(one, "serial", 0) == 1) == (
            messages.Done(1)
        )
    return room_id


FLOODS: Final[dict[str, Callable[[Watched], None]]] = {
    one.__name__: one
    for one in (
        never_reading,
        byte_by_byte,
        many_keys,
        small_frames,
        rooms,
        chat,
        invitations,
        packs,
    )
}
