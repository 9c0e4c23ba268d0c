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
    A series of scenarios of the pack.

    Its id begins with `campaign/`; the words have its name.
    """

    id: Annotated[str, Declares(Kind.CAMPAIGN)]
    scenarios: tuple[Annotated[str, Names(Kind.SCENARIO)], ...]
    """The scenarios in playing order; each scenario belongs to at most one campaign."""
    counters: Mapping[str, Counter] = attrs.field(factory=dict)
    """Counters carried over between scenarios. A scenario that uses a counter declares it as `{of:
    campaign}`; the bounds and the first value are given here. Add new counters at the end: logs
    refer to them by position."""

    def after(self, scenario: str) -> str | None:
        """Return the scenario that follows `scenario`; None after the last."""
        at = self.scenarios.index(scenario) + 1
        return self.scenarios[at] if at < len(self.scenarios) else None
