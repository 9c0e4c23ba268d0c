"""Which tests run in one process, since they look at the same games, each played once for all."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SHARED = ("test_determinism", "test_games", "test_spell_twins", "test_twins")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests of these modules, for `--dist loadgroup`."""
    for item in items:
        if item.path.parent == HERE and item.path.stem in SHARED:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
