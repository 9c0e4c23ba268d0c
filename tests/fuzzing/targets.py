"""What the fuzzer tries: the places that read bytes of somebody else, and their first inputs."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from protocol.brief import BriefReader
from protocol.frames import LIMIT_BEFORE_LOGIN, FrameDecoder, encode_frame
from protocol.login import ServerLogin
from protocol.messages import Sender, decode_message, encode_message
from server.admin.port import read_request
from server.admin.vocabulary import Request, decode, encode
from tests.admin.samples import SAMPLES as ADMIN
from tests.fuzzing.guided import Coverage, Target
from tests.protocol.test_login import EXPORTER, IDENTITY, client, server
from tests.protocol.test_messages import SAMPLES

CORPUS: Final = Path(__file__).parent / "corpus"
MOST_KEPT_BYTES: Final = 8192
"""Of the inputs of one target in the repository."""
ROOT: Final = Path(__file__).parents[2]


def of_client(data: bytes) -> str:
    """Read what a client says after its login."""
    return type(decode_message(data, Sender.CLIENT)).tag


def of_server(data: bytes) -> str:
    """Read what a server says after the login."""
    return type(BriefReader().read(decode_message(data, Sender.SERVER))).tag


def login_of_client(data: bytes) -> str:
    """Read what a client answers to the hello."""
    one = ServerLogin(IDENTITY, EXPORTER, b"n" * 32, "Manse")
    one.hello()
    return str(one.receive(data).language)


def hello_of_server(data: bytes) -> str:
    """Read what a server says first."""
    return str(client().receive(data) is not None)


def stream(data: bytes) -> str:
    """Cut a stream into frames, in two pieces."""
    decoder = FrameDecoder(LIMIT_BEFORE_LOGIN)
    half = len(data) // 2
    return str(len(decoder.feed(data[:half]) + decoder.feed(data[half:])))


def of_operator(data: bytes) -> str:
    """Read what `manse admin` asks of a server."""
    return read_request(data).tag


def to_operator(data: bytes) -> str:
    """Read what a server answers to `manse admin`."""
    return decode(data).tag


TARGETS: Final[dict[str, Target]] = {
    one.__name__: one
    for one in (
        *(of_client, of_server, login_of_client, hello_of_server, stream),
        *(of_operator, to_operator),
    )
}


def beginnings(name: str) -> list[bytes]:
    """Return what a target is sure to take."""
    said = {side: [encode_message(m) for m in SAMPLES if m.side is side] for side in Sender}
    hello = server().hello()
    # A frame begins with four bytes of its length.
    asked = [encode(one)[4:] for one in ADMIN if isinstance(one, Request)]
    told = [encode(one)[4:] for one in ADMIN if not isinstance(one, Request)]
    return {
        "of_client": said[Sender.CLIENT],
        "of_server": said[Sender.SERVER],
        "login_of_client": [client().receive(hello) or b""],
        "hello_of_server": [hello],
        "of_operator": asked,
        "to_operator": told,
        "stream": [b"".join(map(encode_frame, said[Sender.CLIENT]))],
    }[name]


def kept(name: str) -> list[bytes]:
    """Return what earlier runs found worth keeping."""
    path = CORPUS / f"{name}.json"
    return [bytes.fromhex(line) for line in json.loads(path.read_text("ascii"))]


def keep(name: str, inputs: Iterable[bytes]) -> None:
    """Keep inputs for later runs, the shortest first."""
    chosen, left = list[str](), MOST_KEPT_BYTES
    for data in sorted(set(inputs), key=lambda data: (len(data), data)):
        left -= len(data)
        if left >= 0:
            chosen.append(data.hex())
    lines = json.dumps(chosen, indent=0)
    (CORPUS / f"{name}.json").write_text(lines + "\n", "ascii")


def coverage() -> Coverage:
    """Return what watches our own code that reads the wire."""
    return Coverage((str(ROOT / "protocol"), str(ROOT / "server" / "admin")))
