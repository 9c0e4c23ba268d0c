"""The commands in docs/fair-play.md print what the page shows for the game that comes with it.

`MANSE_ACCEPT_SCREENS=1 pytest tests/project/test_fair_play.py` writes their present output into the
page. If the file of the game is missing, the game is played again.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import protocol.games.second_edition.events  # noqa: F401 (declares the kinds of records)
from client.locale import load as load_words
from protocol.archive import Archive, load
from protocol.common import events
from protocol.event_contents import secrets_of
from tests.games.second_edition.client.stage import ACCEPT
from tests.project.fair_game import exported, pack_files, zipped

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "fair-play.md"
GAME: Final = ROOT / "docs" / "fair-play" / "evening.manse"
PACK: Final = ROOT / "docs" / "fair-play" / "harbour.zip"
"""The pack of the game."""

_SHOWN: Final = re.compile(
    r"^```console\n\$ ([^\n]*evening\.manse[^\n]*)\n(.*?)```$", re.MULTILINE | re.DOTALL
)
_BY_HAND: Final = re.compile(
    r"^<!-- roll -->\n```python\n(.*?)```\n\nIt prints:\n\n```text\n(.*?)```$",
    re.MULTILINE | re.DOTALL,
)

PROGRAM: Final = """\
import hashlib, hmac, msgpack

room = "{room}"
seed = "{seed}"  # of play
commitments = [  # to both seeds, on the log before any share
    "{commitments[0]}",
    "{commitments[1]}",
]
shares = [  # by seat
{shares}
]
bindings = [  # by seat: the commitment to its share, and to what it signed with it
{bindings}
]

bound = [bytes.fromhex(text) for text in commitments]
pairs = zip(map(bytes.fromhex, shares), map(bytes.fromhex, bindings))
given = [[seat, *pair] for seat, pair in enumerate(pairs)]
salt = hashlib.sha256(msgpack.packb(["manse keys 3", room, bound, given])).digest()
extracted = hmac.digest(salt, bytes.fromhex(seed), "sha256")  # HKDF, in its two steps
key = hmac.digest(extracted, b"manse play 2" + bytes([1]), "sha256")
block = hmac.digest(key, msgpack.packb([{number}, "{purpose}", 0]), "sha256")
numbers = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
print([number % {sides} for number in numbers[:{count}]])
"""


@cache
def game() -> Archive:
    """Return the game of the page."""
    if ACCEPT in os.environ and not GAME.exists():
        GAME.write_bytes(exported())
        PACK.write_bytes(zipped(pack_files()))
    return load(GAME.read_bytes())


def last_roll() -> events.Rolled:
    """Return the last roll of the game."""
    rolled = (record.event for record in reversed(game().records))
    return next(event for event in rolled if isinstance(event, events.Rolled))


def program() -> str:
    """Return a program that computes the last roll from the data in the file."""
    records, roll = game().records, last_roll()
    (start,) = [r for r in records if isinstance(r.event, events.SeedsCommitted)][-1:]
    opened = [r.event for r in records[start.sequence :] if isinstance(r.event, events.ShareOpened)]
    shares = [event.share.hex() for event in sorted(opened, key=lambda event: event.seat)]
    committed = (r.event for r in records[start.sequence :])
    bound = {
        event.seat: event.commitment.hex()
        for event in committed
        if isinstance(event, events.ShareCommitted)
    }
    play_seed, house_seed = secrets_of(start.event)
    return PROGRAM.format(
        room=game().header.room_id,
        seed=play_seed.value.hex(),
        commitments=(play_seed.commitment.hex(), house_seed.commitment.hex()),
        shares="\n".join(f'    "{share}",' for share in shares),
        bindings="\n".join(f'    "{bound[seat]}",' for seat in sorted(bound)),
        number=roll.number,
        purpose=roll.purpose,
        sides=roll.sides,
        count=len(roll.faces),
    )


def printed(*arguments: str) -> str:
    """Return what Python prints in the checkout for a new user who reads English."""
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, "MANSE_LANGUAGE": "en", "MANSE_HOME": home},
            capture_output=True,
            text=True,
            check=True,
        )
    return done.stdout


def printed_by(command: str) -> str:
    """Return what a command of the page prints, as somebody would type it in the checkout."""
    name, *arguments = shlex.split(command)
    if name == ".venv/bin/python":
        return printed(*arguments)
    assert name == ".venv/bin/manse"
    return printed("-c", "import sys; from commands.main import main; sys.exit(main())", *arguments)


def made_anew(page: str) -> str:
    """Return the page with the present output of its commands."""

    def shown(found: re.Match[str]) -> str:
        is_ours = str(GAME.relative_to(ROOT)) in found[1]
        return f"```console\n$ {found[1]}\n{printed_by(found[1])}```" if is_ours else found[0]

    def by_hand(_: re.Match[str]) -> str:
        says = printed("-c", program())
        return f"<!-- roll -->\n```python\n{program()}```\n\nIt prints:\n\n```text\n{says}```"

    return _BY_HAND.sub(by_hand, _SHOWN.sub(shown, page))


def test_the_commands_print_what_the_page_shows() -> None:
    game()
    page = PAGE.read_text("utf-8")
    commands = " ".join(found[1] for found in _SHOWN.finditer(page))
    assert "manse verify --pack docs/fair-play/harbour.zip docs/fair-play" in commands
    assert "verify.py docs/fair-play" in commands
    anew = made_anew(page)
    if ACCEPT in os.environ:
        PAGE.write_text(anew, "utf-8")
        return

    assert page == anew


def test_the_roll_by_hand_is_the_one_on_the_log() -> None:
    (found,) = _BY_HAND.findall(PAGE.read_text("utf-8"))

    roll = last_roll()
    assert found[1] == f"{list(roll.faces)}\n"
    assert (roll.sides, len(roll.faces)) == (8, 5)
    assert sum(face < 3 for face in roll.faces) >= 2, "the page says that it was enough"


def test_the_game_has_what_the_page_tells_of_it() -> None:
    kinds = [type(record.event) for record in game().records]
    seats = [r.event.is_bot for r in game().records if isinstance(r.event, events.SeatTaken)]

    assert kinds.index(events.ShareOpened) < kinds.index(events.StartFailed)
    assert (
        kinds.count(events.StartFailed)
        == kinds.count(events.TimedOut)
        == kinds.count(events.TakenBack)
        == 1
    )
    assert seats == [False, False, True]


_SLOT: Final = re.compile(r"\{\d+(?:\|[^}|]*\|([^}]*))?\}")
_TABLE: Final = re.compile(
    r"^\| The line \| What it means \|\n\| --- \| --- \|\n(.*?)\n\n", re.MULTILINE | re.DOTALL
)


def in_the_table(template: str) -> str:
    """Return a line of the verifier without figures and names, in the plural."""
    return _SLOT.sub(lambda slot: slot[1] or "…", template).strip()


def test_the_lines_of_the_verifier_are_explained() -> None:
    (table,) = _TABLE.findall(PAGE.read_text("utf-8"))
    rows = [row.split(" | ")[0].removeprefix("| ") for row in table.split("\n")]
    templates = load_words("en").templates

    lines = [in_the_table(text) for key, text in templates.items() if key.startswith("verify.")]

    assert sorted(rows) == sorted(lines)
