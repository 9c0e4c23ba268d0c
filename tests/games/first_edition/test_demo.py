"""`manse demo` of each bundled story: a server's process and one for each bot, over TLS."""

import os
from pathlib import Path

import pytest

from tests.kit import warm
from tests.kit.compiled import with_packs

pytestmark = pytest.mark.issue(40)

_STORIES = Path(__file__).parents[3] / "content/packs/first_edition/manor/scenarios"
_EVERY_RUN = ("six-rooms",)
"""
One in a house: servers and bots do nothing else in the other stories, whose plays and rules are
tested without a server.
"""
_WARM = (
    "import sys; from server.commands import child, demo; from tests.kit import warm;"
    "child.subprocess = demo.subprocess = warm.with_servers(); sys.exit(demo.main(sys.argv[1:]))"
)


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(one.stem, marks=() if one.stem in _EVERY_RUN else pytest.mark.long)
        for one in sorted(_STORIES.glob("*.yaml"))
    ],
)
def test_bots_play_a_story_to_its_end_and_its_log_is_verified(story: str, tmp_path: Path) -> None:
    env = {**os.environ, "MANSE_HOME": str(with_packs(tmp_path)), "LC_ALL": "C.UTF-8"}
    arguments = ("--game", "first-edition", "--scenario", f"manor/{story}", "--seed", "1")
    process = warm.piped(warm.COMMANDS, _WARM, *arguments, env=env)
    told, complaints = process.communicate(timeout=280)

    assert (process.wait(0), complaints) == (0, "")
    assert told.endswith("OK\n")
