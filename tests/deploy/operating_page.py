"""The page `docs/operating.md`: its sections, their commands, and the two releases it mentions.

Two tests follow it: under a real systemd (`test_booted.py`), and in a folder that stands for a
machine (`test_operating.py`).
"""

import re
from pathlib import Path
from typing import Final

import attrs

from commands.release import SHOWN
from deploy import building
from deploy.building import export, version_of
from tests.deploy.conftest import commit, git

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "operating.md").read_text("utf-8")
FOLLOWED: Final = PAGE.partition("\n## In a container\n")[0]
SCENARIO: Final = "core/sluice-house"
"""The scenario that the bots play."""


@attrs.frozen
class Block:
    """A code block of the page."""

    kind: str
    text: str

    @property
    def commands(self) -> list[tuple[bool, str]]:
        """Return each command line, with True if root runs it."""
        lines = self.text.splitlines()
        return [(line[0] == "#", line[2:]) for line in lines if line.startswith(("# ", "$ "))]


def sections(page: str) -> dict[str, list[Block]]:
    """Return the blocks below each heading, in the order of the page."""
    titles = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)[1:]
    return {
        title: [Block(*found) for found in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)]
        for title, text in zip(titles[::2], titles[1::2], strict=True)
    }


OLD: Final = version_of(ROOT)
NEW: Final = f"{OLD}.1"
"""Release to which the page updates; it does not exist yet."""


def make_repository(copy: Path) -> None:
    """Make a git repository of this checkout, with today's release and the next one."""
    export(ROOT, copy)
    git(copy, "init", "--quiet")
    own = f'\nversion = "{OLD}"\n'
    project = copy / "pyproject.toml"
    text = project.read_text("utf-8")
    assert text.count(own) == 1
    for release in (OLD, NEW):
        project.write_text(text.replace(own, f'\nversion = "{release}"\n'), "utf-8")
        commit(copy)
        git(copy, "tag", f"v{release}")


def told_by(repository: Path, release: str) -> str:
    """Return the expected output of `manse --version` for a release."""
    commit = building.git(repository, "rev-parse", f"v{release}^{{commit}}")[:SHOWN]
    return f"manse {release} ({commit})\n"


def of_releases(text: str) -> str:
    """Fill in the release tags that the page leaves to the operator."""
    return text.replace("NEW", f"v{NEW}").replace("OLD", f"v{OLD}")
