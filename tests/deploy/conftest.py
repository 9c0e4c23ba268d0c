"""Fixtures: a small checkout that can be built."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

_PROJECT: Final = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "manse"
version = "7.1"

[tool.setuptools]
packages = ["rooms"]
"""
_CONTAINER: Final = """\
FROM base AS build
COPY pyproject.toml requirements/run.txt ./
COPY rooms rooms
FROM base
COPY --from=build /opt /opt
"""
_FILES: Final = {
    "pyproject.toml": _PROJECT,
    "CHANGELOG.md": "# Changelog\n\n## 7.1 (2026-11-23)\n\n### Added\n\n- Rooms.\n\n",
    "newsfragments/README.md": "How.\n",
    "deploy/Containerfile": _CONTAINER,
    "requirements/run.txt": "twisted==26.10.0 \\\n    --hash=sha256:00\n    # via manse\n",
    "rooms/__init__.py": "",
    "rooms/hall.py": "DOORS = 2\n",
    "run": "#!/bin/sh\n",
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_checkout(tmp_path / "small")


def small_checkout(root: Path) -> Path:
    """Make a checkout with one commit, ready to be released as 7.1."""
    for name, text in _FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (root / "run").chmod(0o755)
    git(root, "init", "--quiet")
    commit(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=Rooms")


def git(root: Path, *arguments: str) -> None:
    """Run git with a made-up author."""
    who = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True)
