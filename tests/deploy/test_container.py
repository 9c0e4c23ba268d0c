"""The container: a server with a user of its own, which writes only to its volume."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from deploy.building import CONTAINERFILE, context_of, export, pack
from tests.deploy.containerfile import Image, build, steps, value

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / CONTAINERFILE
BASE: Final = "python:3.11-slim"
OPEN: Final = 0o755
HEALTHY_SECONDS: Final = 60.0


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an unpacked build context, as a release has it."""
    folder = tmp_path_factory.mktemp("context")
    export(ROOT, folder / "source")
    pack(folder / "context.tar.gz", folder / "source", context_of(folder / "source"), 0)
    shutil.unpack_archive(folder / "context.tar.gz", folder / "context")
    return folder / "context"


@pytest.fixture(scope="module")
def image(context: Path) -> Iterator[Image]:
    """Yield the result of the Containerfile's steps, made read-only."""
    # Not below pytest's own folder, which other users cannot enter.
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch).chmod(OPEN)
        root = Path(scratch) / "root"
        root.mkdir(mode=OPEN)
        made = build(FILE.read_text("utf-8"), context, root)
        subprocess.run(["chmod", "-R", "a-w", str(root / "opt")], check=True)
        yield made
        subprocess.run(["chmod", "-R", "u+w", str(root / "opt")], check=True)


def state_of(tree: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of every file of a tree, without following links."""
    found = {str(path): path.lstat() for path in tree.rglob("*")}
    return {name: (one.st_size, one.st_mtime_ns) for name, one in found.items()}


def is_healthy(image: Image) -> bool:
    """Run the health check until it succeeds or the time is up."""
    until = time.monotonic() + HEALTHY_SECONDS
    while time.monotonic() < until:
        if image.run(*image.health).returncode == 0:
            return True
        time.sleep(0.5)
    return False


def test_the_base_is_a_python_that_manse_takes() -> None:
    """One stage copies the environment of the other, so both need the same Python."""
    text = FILE.read_text("utf-8")

    assert value(text, "ARG") == f"PYTHON={BASE}"
    assert [step.rest for step in steps(text) if step.word == "FROM"] == [
        "${PYTHON} AS build",
        "${PYTHON}",
    ]


def test_it_runs_as_nobody_who_has_a_name() -> None:
    """A numeric user lets an engine see that it is not root."""
    user, _, group = value(FILE.read_text("utf-8"), "USER").partition(":")

    assert int(user) == int(group) > 1000


def test_every_version_is_checked_by_its_hash() -> None:
    runs = [step.rest for step in steps(FILE.read_text("utf-8")) if step.word == "RUN"]
    [fetching, own] = [line for line in runs if "pip install" in line]

    assert "--require-hashes --only-binary :all: --no-deps" in fetching
    assert "--no-index --no-deps --no-build-isolation" in own


@pytest.mark.long
def test_a_server_of_the_steps_writes_to_its_volume_alone(image: Image) -> None:
    before = state_of(image.root / "opt")
    assert image.run(*image.health).returncode != 0
    server = image.start("--host", "127.0.0.1", "--port", "0")
    try:
        assert is_healthy(image)
        program = image.root / "opt" / "manse" / "bin" / "manse"
        assert image.run("sh", "-c", f": >> {program}").returncode != 0
    finally:
        server.send_signal(signal.SIGTERM)
        said, _ = server.communicate(timeout=60)

    assert server.returncode == 0, said
    assert "Manse listens on 127.0.0.1:" in said
    assert image.run(*image.health).returncode != 0
    assert state_of(image.root / "opt") == before
    kept = image.root / "var" / "lib" / "manse"
    assert kept.stat().st_mode & 0o777 == 0o700
    assert (kept / "server" / "identity.pem").stat().st_uid == kept.stat().st_uid
    assert kept.stat().st_uid == (os.geteuid() if image.user is None else image.user)


@pytest.mark.long
def test_nothing_can_be_installed_into_it(image: Image) -> None:
    assert not list((image.root / "opt" / "manse" / "bin").glob("pip*"))
    assert sorted(path.name for path in image.root.iterdir()) == ["opt", "var"]


def engine() -> str | None:
    """Return a container engine that answers here and has the base image or can fetch it."""
    for name in ("docker", "podman"):
        if shutil.which(name) and said(name, "info").returncode == 0:
            if said(name, "image", "inspect", BASE).returncode == 0:
                return name
            return name if said(name, "pull", BASE).returncode == 0 else None
    return None


def said(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command and capture its output."""
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_a_container_runs_with_a_root_that_is_read_only(context: Path) -> None:
    name = engine()
    if name is None:
        pytest.skip(f"no container engine answers here, or it cannot fetch {BASE}")
    tag = f"manse-test-{os.getpid()}"
    built = said(name, "build", "--file", str(context / CONTAINERFILE), "--tag", tag, str(context))
    assert built.returncode == 0, built.stderr
    try:
        options = ("--detach", "--read-only", "--tmpfs", "/tmp", "--name", tag)
        assert said(name, "run", *options, tag).returncode == 0
        until = time.monotonic() + HEALTHY_SECONDS
        while (state := said(name, "exec", tag, "manse", "admin", "state")).returncode:
            assert time.monotonic() < until, said(name, "logs", tag).stdout + state.stderr
            time.sleep(1)
        assert said(name, "exec", tag, "id", "-u").stdout == "65532\n"
        assert said(name, "stop", "-t", "30", tag).returncode == 0
        ended = said(name, "inspect", "--format", "{{.State.ExitCode}}", tag)
        assert ended.stdout == "0\n"
    finally:
        said(name, "rm", "--force", "--volumes", tag)
        said(name, "rmi", "--force", tag)


@pytest.mark.long
def test_the_context_holds_what_the_file_copies(context: Path) -> None:
    sources = [
        name
        for step in steps(FILE.read_text("utf-8"))
        if step.word == "COPY" and not step.rest.startswith("--from")
        for name in step.rest.split()[:-1]
    ]

    assert [name for name in sources if not (context / name).exists()] == []
