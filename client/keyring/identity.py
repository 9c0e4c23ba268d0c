"""
The player's key, and the servers that the player has met.

Both are files in the player's own folder. The key is created on first start and never overwritten,
because seats belong to the key. A known server must always show the same fingerprint.
"""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from client.keyring import private_files
from client.locale import load
from commands import speaking
from commands.faults import why_refused
from commands.own_folders import data_folder
from protocol.invitation import Address
from protocol.keys import (
    SEED_BYTES,
    SigningKey,
    UnreadableFingerprint,
    UnreadableKey,
    fingerprint_text,
    parse_fingerprint,
)

HOME_VARIABLE = speaking.HOME_VARIABLE
"""The environment variable that overrides the usual folder."""

KEY_FILE = "player.pem"
KNOWN_FILE = "known_servers"

_OTHERS = 0o077


Say = Callable[..., str]
"""Returns the words of a catalog key with parameters, as `Locale.say` does."""
_ENGLISH: Say = load("en").say


class IdentityProblem(Exception):
    """The player's key or a server's identity cannot be used; the text says what to do."""


def home_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the player's own files, which may not exist yet."""
    chosen = environ.get(HOME_VARIABLE)
    return Path(chosen) if chosen else data_folder()


def load_player_key(
    folder: Path, new_bytes: Callable[[int], bytes], say: Say = _ENGLISH
) -> SigningKey:
    """
    Return the player's key; create one if there is none.

    Args:
        folder: the player's folder. If it is missing, it is created for the owner alone.
        new_bytes: draws a given number of bytes from the entropy source.
        say: words for errors.

    Raises:
        IdentityProblem: the key cannot be read or created, or other users may read the file.
    """
    path = folder / KEY_FILE
    try:
        if not path.exists():
            _write_once(path, SigningKey.from_seed(new_bytes(SEED_BYTES)).to_pem())
        # On Windows the mode bits do not say who may read a file.
        if sys.platform != "win32" and path.stat().st_mode & _OTHERS:
            raise IdentityProblem(say("trust.readable", str(path)))
        return SigningKey.from_pem(path.read_bytes())
    except UnreadableKey as error:
        raise IdentityProblem(say("trust.bad_key", str(path))) from error
    except OSError as error:
        raise _unusable(path, error, say) from error


def _unusable(path: Path, error: OSError, say: Say) -> IdentityProblem:
    return IdentityProblem(say("trust.unusable", str(path), why_refused(error, say), HOME_VARIABLE))


@attrs.frozen
class KnownServers:
    """The file of known servers, with a line for the address and fingerprint of each server."""

    path: Path
    say: Say = _ENGLISH

    def fingerprint_of(self, address: Address) -> bytes | None:
        """
        Return the known fingerprint of the server at an address; None if the address is new.

        Raises:
            IdentityProblem: the file is unreadable. To trust any server then would be unsafe.
        """
        return self._load().get(str(address))

    def remember(self, address: Address, fingerprint: bytes) -> None:
        """
        Store a server's fingerprint.

        Raises:
            IdentityProblem: the file cannot be read or written.
        """
        # A server that is known already needs neither a lock nor a write.
        if self._load().get(str(address)) == fingerprint:
            return
        try:
            with private_files.locked(self.path):
                known = self._load()
                # `pinned` has refused a different fingerprint already, so this one is new.
                known[str(address)] = fingerprint
                lines = [f"{where} {fingerprint_text(known[where])}\n" for where in sorted(known)]
                private_files.replace(self.path, "".join(lines).encode())
        except OSError as error:
            raise _unusable(self.path, error, self.say) from error

    def _load(self) -> dict[str, bytes]:
        try:
            # Some editors put a byte order mark at the beginning.
            text = self.path.read_text("utf-8-sig")
        except FileNotFoundError:
            return {}
        except OSError as error:
            reason = why_refused(error, self.say)
            raise IdentityProblem(self.say("trust.unreadable", str(self.path), reason)) from error
        except UnicodeError as error:
            raise IdentityProblem(self.say("trust.no_text", str(self.path))) from error
        known = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            try:
                where, fingerprint = line.split()
                known[where] = parse_fingerprint(fingerprint)
            except (ValueError, UnreadableFingerprint) as error:
                raise IdentityProblem(self.say("trust.bad_line", str(self.path), number)) from error
        return known


@attrs.frozen
class ServerTrust:
    """The fingerprint to expect from the server at an address, by invitation or known servers."""

    known: KnownServers
    address: Address
    invited: bytes | None = None
    """The fingerprint in the invitation; None if there is no invitation."""

    def pinned(self) -> bytes | None:
        """Return the expected fingerprint; None if any fingerprint is accepted on first use.

        Raises:
            IdentityProblem: the invitation and the file of known servers have different
                fingerprints, or the file is unreadable.
        """
        met = self.known.fingerprint_of(self.address)
        if self.invited is not None and met is not None and self.invited != met:
            texts = (fingerprint_text(self.invited), fingerprint_text(met), self._advice())
            raise IdentityProblem(self.known.say("trust.two_servers", str(self.address), *texts))
        # The invitation counts before the first visit too: no trust on first use is needed.
        return self.invited or met

    def learned(self, fingerprint: bytes) -> None:
        """Store the fingerprint of a server that has proved its identity."""
        self.known.remember(self.address, fingerprint)

    def explain(self, expected: bytes, met: bytes) -> str:
        """Explain an unexpected fingerprint in a sentence, and say what the player can do."""
        say, address = self.known.say, str(self.address)
        texts = (fingerprint_text(met), fingerprint_text(expected))
        if self.invited is not None:
            return say("trust.not_invited", address, *texts)
        return say("trust.not_met", address, *texts, self._advice())

    def _advice(self) -> str:
        return self.known.say("trust.advice", str(self.address), str(self.known.path))


def _write_once(path: Path, content: bytes) -> None:
    # Two clients may start at once: the first key wins, and the other client reads it.
    draft = private_files.draft(path, content)
    try:
        # link() fails if the file exists; rename() would overwrite it.
        path.hardlink_to(draft)
    except FileExistsError:
        return
    finally:
        draft.unlink(missing_ok=True)
