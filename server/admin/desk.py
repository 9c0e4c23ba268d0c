"""Answers operators' requests: makes a report, or logs an act and carries it out."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import attrs
from twisted.logger import Logger

from server.admin.act_log import ActLog
from server.admin.acts import Acts, Impossible
from server.admin.vocabulary import (
    MAX_LINES,
    MAX_TEXT,
    Act,
    AskBans,
    AskOpening,
    AskPeople,
    AskState,
    AskTables,
    BanLine,
    BanReport,
    No,
    OpeningReport,
    Reply,
    Request,
)
from server.kernel.errors import Refused
from server.lobby.tables.opening_policy import Chosen
from server.storage import StorageError


@attrs.define(eq=False)
class AdminDesk:
    """Dispatches requests to reports and acts."""

    acts: Acts
    log: ActLog
    _reports: dict[type[Request], Callable[[Any], Reply]] = attrs.field(init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        view = self.acts.view
        self._reports = {
            AskState: lambda _: view.state(),
            AskTables: view.tables,
            AskPeople: view.people,
            AskBans: self._bans,
            AskOpening: self._opening,
        }

    async def answer(self, request: Request, user: int) -> Reply:
        if isinstance(request, Act):
            if type(request) not in self.acts.by_kind:
                return No("unknown")
            # Logged before it is done: no act may take effect without a trace.
            try:
                self.log.note(user, request.tag, request.told())
            except OSError as error:
                self._log.error("the log of acts cannot be written: {why}", why=str(error))
                return No("no_log", (error.strerror or str(error))[:MAX_TEXT])
            reply = await self._carry_out(request)
            # The line above says only that the act was tried.
            if isinstance(reply, No):
                try:
                    self.log.note(user, "failed", {"of": request.tag, "why": reply.code})
                except OSError as error:
                    self._log.error("the log of acts cannot be written: {why}", why=str(error))
            return reply
        report = self._reports.get(type(request))
        return No("unknown") if report is None else report(request)

    async def _carry_out(self, act: Act) -> Reply:
        try:
            return await self.acts.do(act)
        except Impossible as impossible:
            return impossible.no
        except Refused as refused:
            return No("refused", refused.code)
        except StorageError as error:
            self._log.error("an operator's act was not stored: {why}", why=str(error))
            return No("not_stored", str(error)[:MAX_TEXT])

    def _bans(self, asked: AskBans) -> Reply:
        bans = self.acts.bans.by_name
        names = sorted(name for name in bans if name > asked.after)
        lines = (
            BanLine(name, bans[name].reason, bans[name].when) for name in islice(names, MAX_LINES)
        )
        return BanReport(tuple(lines), is_last=len(names) <= MAX_LINES)

    def _opening(self, asked: AskOpening) -> Reply:
        openers = self.acts.view.lobby.openers
        policy, listed = openers.policy, [name for name in openers.listed if name > asked.after]
        return OpeningReport(
            policy.opening,
            bool(policy.password.digest),
            policy.tables_per_key,
            policy.tables_per_address,
            tuple(listed[:MAX_LINES]),
            is_last=len(listed) <= MAX_LINES,
            is_chosen=openers.chosen != Chosen(),
        )
