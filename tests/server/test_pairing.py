"""What a start refuses: an identity without its database, a database without its identity."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import pytest

from protocol.keys import SigningKey
from server.identity.identity import FILE_NAME
from server.identity.pairing import KEY, KIND
from server.process.app import DATABASE
from server.storage import StoreMoved
from server.storage.sqlite import SqliteStore
from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.kit.stores.contract import records
from tests.kit.stores.stepped import Stepped

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60
SERVE = ("serve", "--host", "127.0.0.1", "--port", "0", "--json", "--stop-with-stdin")
COMMAND = "import sys; from commands.main import main; sys.exit(main(sys.argv[1:]))"

pytestmark = pytest.mark.issue(15)


@attrs.frozen
class Started:
    """The exit status and output of `manse serve`."""

    listened: bool
    status: int
    said: str


@contextlib.contextmanager
def process_of(*command: str | Path) -> Iterator[warm.Piped]:
    """Run a command of ours; it is killed in the end, if it still runs."""
    with TemporaryDirectory() as home:
        process = warm.piped(
            warm.COMMANDS,
            COMMAND,
            *map(str, command),
            env={**os.environ, "MANSE_HOME": str(with_packs(Path(home)))},
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()


def start(folder: Path, *arguments: str) -> Started:
    """Run a server in a folder, and end its input as soon as it listens or gives up."""
    with process_of(*SERVE, "--folder", folder, *arguments) as process:
        listened = process.stdout.readline()
        _, said = process.communicate("", timeout=PATIENCE_SECONDS)
    return Started(bool(listened), process.wait(0), said)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a server that was started once."""
    folder = tmp_path_factory.mktemp("first") / "server"
    assert start(folder) == Started(listened=True, status=0, said="")
    return folder


@pytest.fixture
def folder(first: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder for one test."""
    return Path(shutil.copytree(first, tmp_path / "server"))


def lose(path: Path) -> bytes:
    """Delete a file; return what was in it."""
    content = path.read_bytes()
    path.unlink()
    return content


def refused(folder: Path, *arguments: str) -> str:
    """Return why a server does not start; check that it changed nothing."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    one = start(folder, *arguments)
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert (one.listened, one.status, before.keys() - after.keys()) == (False, 1, set())
    assert {name: after[name] for name in before if name.endswith(".pem")} == {
        name: content for name, content in before.items() if name.endswith(".pem")
    }
    assert after.keys() - before.keys() <= {f"{DATABASE}-wal"}
    return one.said


def test_a_database_without_its_identity_is_refused(folder: Path) -> None:
    """With a new identity, no client would trust the server."""
    pem = lose(folder / FILE_NAME)

    said = refused(folder)

    assert "identity.pem is missing" in said
    assert "--new-identity" in said
    (folder / FILE_NAME).write_bytes(pem)
    (folder / FILE_NAME).chmod(0o600)
    assert start(folder).listened


def test_an_identity_without_its_database_is_refused(folder: Path) -> None:
    """A new empty database would hide that games are lost."""
    lose(folder / DATABASE)

    said = refused(folder)

    assert "an identity and no database" in said
    assert "--new-database" in said
    assert start(folder, "--new-database").listened
    assert start(folder).listened


def test_another_identity_is_refused(folder: Path) -> None:
    (folder / FILE_NAME).write_bytes(SigningKey.from_seed(b"o" * 32).to_pem())

    said = refused(folder)

    assert "belongs to the identity" in said
    assert start(folder, "--new-identity").listened
    assert start(folder).listened


def test_a_lost_identity_can_be_given_up(folder: Path) -> None:
    lose(folder / FILE_NAME)

    one = start(folder, "--new-identity")

    assert one.listened
    assert start(folder).listened


def test_a_database_of_before_is_refused_without_its_identity(folder: Path) -> None:
    stepped = Stepped(folder / DATABASE)
    stepped.result(partial(SqliteStore.delete, kind=KIND, key=KEY))
    stepped.result(partial(SqliteStore.append, room_id="a", first=0, records=records("one")))
    stepped.close()
    lose(folder / FILE_NAME)

    assert "identity.pem is missing" in refused(folder)


def test_a_database_of_before_takes_the_identity_that_is_there(folder: Path) -> None:
    stepped = Stepped(folder / DATABASE)
    stepped.result(partial(SqliteStore.delete, kind=KIND, key=KEY))
    stepped.close()

    assert start(folder).listened
    (folder / FILE_NAME).write_bytes(SigningKey.from_seed(b"o" * 32).to_pem())
    assert "belongs to the identity" in refused(folder)


def test_a_first_start_that_was_cut_short_is_repeated(folder: Path) -> None:
    """The database is made first, so an empty one without an identity is no loss."""
    stepped = Stepped(folder / DATABASE)
    stepped.result(partial(SqliteStore.delete, kind=KIND, key=KEY))
    stepped.close()
    lose(folder / FILE_NAME)

    assert start(folder).listened


# While it runs


@pytest.mark.parametrize("name", [DATABASE, f"{DATABASE}-wal"])
@pytest.mark.parametrize("how", ["moved", "deleted", "replaced"])
def test_nothing_is_stored_once_the_file_is_not_in_its_place(
    folder: Path, name: str, how: str
) -> None:
    """The next program that opens the file's name would not find what was stored."""
    stepped = Stepped(folder / DATABASE)
    told: list[StoreMoved] = []
    stepped.store.when_moved = told.append
    stepped.result(partial(SqliteStore.append, room_id="a", first=0, records=records("one")))
    path = folder / name
    content = path.read_bytes()
    path.rename(path.with_suffix(".away")) if how == "moved" else path.unlink()
    if how == "replaced":
        path.write_bytes(content)

    for _ in range(2):
        with pytest.raises(StoreMoved, match="put the file back"):
            stepped.result(partial(SqliteStore.append, room_id="a", first=1, records=records("b")))

    assert len(told) == 1
    stepped.close()


def test_a_server_whose_database_is_deleted_ends_and_says_why(folder: Path) -> None:
    with process_of(*SERVE, "--folder", folder) as server:
        told = json.loads(server.stdout.readline())
        (folder / DATABASE).unlink()
        reach = ("--server", f"{told['host']}:{told['port']}", "--fingerprint", told["fingerprint"])
        with process_of("bot", "--open", "core/sluice-house", "--party", "2", *reach) as client:
            status = server.wait(timeout=PATIENCE_SECONDS)
            client.kill()
            client.communicate()
        _, said = server.communicate()

    assert status == 1
    assert "was moved, replaced or deleted" in said
