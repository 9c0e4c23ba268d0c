"""README.md says on which sizes of terminals screens are tried."""

import pytest

from tests.games.second_edition.client.stage import SIZES
from tests.project.test_readme import WHERE


@pytest.mark.issue(38)
def test_the_sizes_are_those_of_the_tests() -> None:
    (rows, columns), (most_rows, most_columns) = SIZES[0], SIZES[-1]

    assert f"{columns}x{rows} to {most_columns}x{most_rows} cells" in WHERE
