"""Answers what an operator asks: by a report, or by doing something and writing that down."""

from collections.abc import Callable
from typing import Any

import attrs

from server.admin.view import View
from server.admin.vocabulary import AskPeople, AskState, AskTables, No, Reply, Request


@attrs.define(eq=False)
class AdminDesk:
    """Deals with the requests of operators."""

    view: View
    _reports: dict[type[Request], Callable[[Any], Reply]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Say which report answers what."""
        self._reports = {
            AskState: lambda _: self.view.state(),
            AskTables: self.view.tables,
            AskPeople: self.view.people,
        }

    async def deal(self, request: Request, user: int) -> Reply:
        """
        Answer a request.

        Args:
            request: what is asked.
            user: the id of the user who asks.
        """
        del user
        report = self._reports.get(type(request))
        return No("unknown") if report is None else report(request)
