"""The vocabulary of cards stays within its budget."""

import pytest

from content.games.cards.schema.conditions import Condition
from content.games.cards.schema.costs import Cost
from content.games.cards.schema.modifiers import Modifier
from content.games.cards.schema.occurrences import ROLES
from content.games.cards.schema.steps import Step
from content.games.cards.schema.targets import Which, Whom
from content.reading.parts import parts_of

pytestmark = pytest.mark.issue(42)


@pytest.mark.parametrize(
    ("most", "parts"),
    [
        pytest.param(60, ROLES, id="occurrences"),
        pytest.param(30, parts_of(Cost), id="costs"),
        pytest.param(75, parts_of(Step), id="steps"),
        pytest.param(40, parts_of(Condition), id="conditions"),
        pytest.param(30, parts_of(Modifier), id="modifiers"),
        pytest.param(12, [*parts_of(Which), *parts_of(Whom)], id="targets"),
    ],
)
def test_a_family_of_the_vocabulary_stays_within_its_budget(most: int, parts: object) -> None:
    """A new part needs two cards that use it; a field of another part is better."""
    assert isinstance(parts, dict | list)
    assert 0 < len(parts) <= most
