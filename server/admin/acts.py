"""The acts of an operator, one method each."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import attrs

from protocol import messages
from protocol.keys import UnreadableFingerprint, fingerprint, fingerprint_text, parse_fingerprint
from server.admin.bans import BANNED, Banned, Bans, TooMany, is_network
from server.admin.drain import Drain
from server.admin.tables import ActOnTable, act_on_table
from server.admin.view import View
from server.admin.vocabulary import (
    MAX_TEXT,
    Act,
    AgreeToGoBack,
    Allow,
    Announce,
    BackUp,
    Ban,
    BeginDrain,
    CancelDrain,
    CloseTable,
    Disallow,
    Done,
    Kick,
    No,
    PauseTable,
    Reply,
    ResumeTable,
    Revoke,
    SetOpening,
    SetQuotas,
    Unban,
    UseSettings,
)
from server.identity.files import UnusableFile
from server.lobby.tables.opening import FEWEST_LETTERS as FEWEST_OF_PASSWORD
from server.lobby.tables.opening_policy import Opening
from server.net.addresses import network_named

FEWEST_LETTERS: Final = 6
"""Minimum letters of a shortened fingerprint."""


_ON_TABLES: Final = (PauseTable, ResumeTable, CloseTable, AgreeToGoBack)


class Impossible(Exception):
    """The act cannot be carried out; nothing has changed."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.no = No(code, detail)


@attrs.define(eq=False)
class Acts:
    """Carries out the acts of operators on a running server."""

    view: View
    bans: Bans
    drain: Drain
    back_up: Callable[[Path], Awaitable[object]]
    """Writes a backup to a folder. Fails with StorageError, OSError or UnusableFile."""
    now: Callable[[], int]
    """Wall clock, in milliseconds since 1970."""
    by_kind: dict[type[Act], Callable[[Any], Awaitable[Reply]]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.by_kind = {
            Announce: self._announce,
            Kick: self._kick,
            Ban: self._ban,
            Unban: self._unban,
            Revoke: self._revoke,
            BeginDrain: self._begin_drain,
            CancelDrain: self._cancel_drain,
            BackUp: self._back_up,
            SetOpening: self._set_opening,
            Allow: self._allow,
            Disallow: self._disallow,
            SetQuotas: self._set_quotas,
            UseSettings: self._use_settings,
            **dict.fromkeys(_ON_TABLES, self._act_on_table),
        }

    async def do(self, act: Act) -> Reply:
        """
        Carry out an act.

        Raises:
            Impossible: the act cannot be carried out.
            Refused: the table refuses the act.
            RuleFailed, StorageError: as `RoomHost.submit`.
        """
        return await self.by_kind[type(act)](act)

    async def _announce(self, act: Announce) -> Reply:
        sessions = self.view.sessions()
        for session in sessions:
            session.send(messages.Announcement(act.words))
        return Done(len(sessions))

    async def _kick(self, act: Kick) -> Reply:
        whom = self._fingerprint(act.person)
        theirs = [
            one
            for one in self.view.sessions()
            if fingerprint_text(fingerprint(one.account.key)) == whom
        ]
        for session in theirs:
            session.close("session/ended", "whoever runs this server ended your session")
        return Done(len(theirs))

    async def _ban(self, act: Ban) -> Reply:
        name = self._network(act.whom) if is_network(act.whom) else self._fingerprint(act.whom)
        # Stored before sessions end, so that nobody can log in again in between.
        try:
            await self.bans.add(name, Banned(act.reason, self.now()))
        except TooMany:
            raise Impossible("too_many_bans") from None
        sessions = self.view.sessions()
        banned = [one for one in sessions if self.bans.refusal(one.account.key, one.peer)]
        for session in banned:
            session.close("account/banned", BANNED.reason)
        return Done(len(banned))

    async def _unban(self, act: Unban) -> Reply:
        # The whole name: a banned player is not connected, so no short form could match.
        name = self._network(act.whom) if is_network(act.whom) else self._parsed(act.whom)
        if not await self.bans.remove(name):
            raise Impossible("not_banned", act.whom)
        return Done(1)

    async def _revoke(self, act: Revoke) -> Reply:
        self._require_table(act.room_id)
        return Done(await self.view.lobby.invitations.revoke_all(act.room_id))

    async def _act_on_table(self, act: ActOnTable) -> Reply:
        self._require_table(act.room_id)
        return Done(await act_on_table(self.view.lobby, act))

    async def _begin_drain(self, act: BeginDrain) -> Reply:
        self.drain.begin(act.minutes * 60)
        return Done(len(self.view.sessions()))

    async def _cancel_drain(self, act: CancelDrain) -> Reply:
        del act
        if not self.drain.cancel():
            raise Impossible("not_draining")
        return Done()

    async def _back_up(self, act: BackUp) -> Reply:
        target = Path(act.target)
        # A relative path would be taken from the server's working folder, not the operator's.
        if not target.is_absolute():
            raise Impossible("no_path", act.target[:MAX_TEXT])
        try:
            await self.back_up(target)
        except (OSError, UnusableFile) as error:
            raise Impossible("no_backup", str(error)[:MAX_TEXT]) from error
        return Done()

    async def _set_opening(self, act: SetOpening) -> Reply:
        openers, is_by_password = self.view.lobby.openers, act.opening is Opening.PASSWORD
        if act.password and not is_by_password:
            raise Impossible("no_password_there")
        if act.password and len(act.password) < FEWEST_OF_PASSWORD:
            raise Impossible("short_password", str(FEWEST_OF_PASSWORD))
        # An empty password keeps the present one, so there has to be one.
        if is_by_password and not (act.password or openers.policy.password.digest):
            raise Impossible("password_needed")
        await openers.choose(act.opening, act.password)
        return Done()

    async def _allow(self, act: Allow) -> Reply:
        await self.view.lobby.openers.list_(self._fingerprint(act.whom))
        return Done(1)

    async def _disallow(self, act: Disallow) -> Reply:
        openers, whom = self.view.lobby.openers, self._fingerprint(act.whom)
        if not await openers.unlist(whom):
            code = "listed_in_settings" if whom in openers.usual.listed else "not_listed"
            raise Impossible(code, act.whom)
        return Done(1)

    async def _use_settings(self, act: UseSettings) -> Reply:
        del act
        await self.view.lobby.openers.go_by_settings()
        return Done()

    async def _set_quotas(self, act: SetQuotas) -> Reply:
        await self.view.lobby.openers.limit(act.by_key, act.by_address)
        return Done()

    # Names as operators type them

    def _require_table(self, room_id: str) -> None:
        if room_id not in self.view.lobby.registry.summaries:
            raise Impossible("no_such_table", room_id)

    def _network(self, typed: str) -> str:
        try:
            return str(network_named(typed))
        except ValueError:
            raise Impossible("no_address", typed) from None

    def _parsed(self, typed: str) -> str:
        try:
            return fingerprint_text(parse_fingerprint(typed))
        except UnreadableFingerprint:
            raise Impossible("no_fingerprint", typed) from None

    def _fingerprint(self, typed: str) -> str:
        """
        Return the whole fingerprint that an operator typed in full or in part.

        The operator types a whole fingerprint, or at least the first `FEWEST_LETTERS` letters of
        the fingerprint of a connected player.

        Raises:
            Impossible: the text is no fingerprint, or the fingerprints of several connected players
                begin with it.
        """
        begins = typed.replace("-", "").replace(" ", "").lower()
        known = {fingerprint_text(fingerprint(one.account.key)) for one in self.view.sessions()}
        meant = [one for one in known if one.replace("-", "").startswith(begins)]
        # Fewer letters could mean a player by accident.
        if len(begins) < FEWEST_LETTERS or not meant:
            return self._parsed(typed)
        if len(meant) > 1:
            raise Impossible("several_people", typed)
        return meant[0]
