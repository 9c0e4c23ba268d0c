"""Forgeries by rule: every rule of section 14 has a forger, and all readers name the same record.

`manse verify` names the record of the rule. `verify.py` names it for the first two steps, and
accepts a file that breaks a later one. A reader of `types.json` alone names it exactly where a
shape is wrong.
"""

import re
from pathlib import Path

import pytest

from tests.kit.every_run import first
from tests.verifying.logs import ROOT
from tests.verifying.rules import beside, form, log, table, timers
from tests.verifying.rules.forging import RULES
from tests.verifying.rules.pools import POOLS, pool
from tests.verifying.rules.verdicts import VALID, all_complaints, ours, theirs, third

pytestmark = pytest.mark.issue(36)

MODULES = (form, log, table, beside, timers)
PARTS, LONG_PARTS = 4, 100
OF_A_RUN = 1
"""Number of times that each rule is broken in `make test`."""
LONG = 20_000
"""Number of forgeries in `make test-long`."""


@pytest.mark.parametrize("which", first(1, range(3)))
@pytest.mark.parametrize("name", sorted(POOLS))
def test_what_is_forged_is_valid_before(name: str, which: int) -> None:
    """If it were not, a file could be refused for another reason than the forgery."""
    for data in pool(name)[which : which + 1]:
        assert (ours(data)[0], theirs(data)[0], third(data)[0]) == (VALID, VALID, VALID)


@pytest.mark.parametrize("part", range(PARTS))
def test_each_rule_is_broken_and_found_by_all(part: int) -> None:
    count = OF_A_RUN * len(RULES)
    first, last = part * count // PARTS, (part + 1) * count // PARTS

    assert all_complaints(first, last - first) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(LONG_PARTS))
def test_20_000_forgeries_are_found_by_all(part: int) -> None:
    size = LONG // LONG_PARTS

    assert all_complaints(OF_A_RUN * len(RULES) + part * size, size) == []


def rows_of(section: str) -> set[str]:
    """Return the kinds that have rows in the tables of a part of section 14."""
    text = Path(ROOT / "protocol" / "PROTOCOL.md").read_text("utf-8")
    part = text.split(f"### {section}", 1)[1].split("\n### ", 1)[0]
    rows = re.findall(r"^\| (`.*?) \|", part, re.MULTILINE)
    return {tag for row in rows for tag in re.findall(r"`([a-z_]+)(?:/\d+)?`", row)}


@pytest.mark.parametrize(("step", "section"), [(2, "Step 2: the log"), (3, "Step 3: the table")])
def test_every_row_has_a_forger(step: int, section: str) -> None:
    forged = {rule.kind for rule in RULES.values() if rule.step == step}

    assert rows_of(section) - forged == set()
