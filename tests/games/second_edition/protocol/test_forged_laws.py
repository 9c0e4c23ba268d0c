"""Forgeries by rule: `manse verify` names the broken law, and `verify.py` finds no fault."""

import pytest

from tests.games.second_edition.protocol.forged_laws import GAME, LAWS
from tests.verifying.rules.pools import pool
from tests.verifying.rules.verdicts import VALID, all_complaints, ours, theirs, third

pytestmark = pytest.mark.issue(36)


def test_what_is_forged_is_valid_before() -> None:
    [data] = pool(GAME)

    assert (ours(data)[0], theirs(data)[0], third(data)[0]) == (VALID, VALID, VALID)


def test_each_law_is_broken_and_found() -> None:
    assert all_complaints(0, len(LAWS), LAWS) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(1, 21))
def test_many_broken_laws_are_found(part: int) -> None:
    assert all_complaints(part * len(LAWS), len(LAWS), LAWS) == []
