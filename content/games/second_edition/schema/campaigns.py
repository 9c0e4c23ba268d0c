"""Campaigns: scenarios played one after another, with what is carried over between them."""

from collections.abc import Mapping
from typing import Annotated

import attrs

from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.kinds import Kind
from content.reading.meanings import Declares, Names


@attrs.frozen
class Campaign:
    """
    A row of scenarios of the pack.

    Its id begins with `campaign/`; the words have its name.
    """

    id: Annotated[str, Declares(Kind.CAMPAIGN)]
    scenarios: tuple[Annotated[str, Names(Kind.SCENARIO)], ...]
    """In their order; each belongs to one campaign at most."""
    counters: Mapping[str, Counter] = attrs.field(factory=dict)
    """Counters carried over. A scenario that uses one declares it as `{of: campaign}`; its
    bounds and first value are given here. Add new ones at the end: logs know them by place."""

    def after(self, scenario: str) -> str | None:
        """Return the scenario that comes after one; None after the last."""
        at = self.scenarios.index(scenario) + 1
        return self.scenarios[at] if at < len(self.scenarios) else None
