"""
Checking: `manse serve --check` reports what would keep a server from starting.

A check creates and changes nothing, and reads only the version of the database. So it can run
beside a running server, and needs no free port.
"""

import argparse
import datetime as dt
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

from commands.speaking import CommandWords
from content.reading.mistakes import ContentErrors
from protocol.common.visible import visible
from server.admin.act_log import FILE_NAME as ACT_LOG
from server.identity import certificate, identity
from server.identity.files import UnusableFile
from server.identity.pairing import must_have_database
from server.packs import sandbox
from server.process.app import DATABASE, Config, certificate_of, opening_of
from server.process.configuration import BadConfiguration
from server.process.serving import config_of, configured, tell_bad
from server.storage import StorageError
from server.storage.mark import SUFFIX as MARK
from server.storage.schema import SCHEMA_VERSION
from server.storage.version import version_of_file
from server.system.faults import in_words

_WRITTEN: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}{MARK}", ACT_LOG)
_READ: Final = (identity.FILE_NAME, certificate.FILE_NAME)
EXPECTED = (UnusableFile, StorageError, ContentErrors)


def run(options: argparse.Namespace, output: IO[str], words: CommandWords) -> int:
    """
    Print the faults of settings, certificate, identity, database and packs.

    Returns:
        The exit status: 0 without faults, otherwise 1.
    """
    try:
        chosen = configured(options)
    except BadConfiguration as bad:
        tell_bad(bad, words)
        return 1
    config = config_of(chosen, options)
    if chosen.file is None:
        _tell(words.say("serve.check_no_file"), output)
    else:
        _tell(words.say("serve.check_file", chosen.file), output)
    for path in chosen.gone:
        _tell(f"manse serve: {words.say('serve.setting_gone', path)}", sys.stderr)
    if config.mail_names_no_address:
        _tell(f"manse serve: {words.say('serve.mail_address')}", sys.stderr)
    looks = (
        lambda config: _certificate(config, words),
        opening_of,
        _identity,
        lambda config: _database(config, output, words),
        lambda config: config.mail.password(),
        *[lambda _, name=name: sandbox.judged(name) for name in config.packs],
    )
    faults = [fault for look in looks if (fault := _fault_of(look, config)) is not None]
    for fault in faults:
        _tell(f"manse serve: {in_words(fault, words)}", sys.stderr)
    foreign = foreign_files(config, chosen.file)
    for unusable in foreign:
        said = words.say("serve.check_owner", unusable, config.folder)
        _tell(f"manse serve: {said}", sys.stderr)
    if not (faults or foreign):
        _tell(words.say("serve.check_fine", config.folder), output)
    return 1 if faults or foreign else 0


def foreign_files(config: Config, settings: Path | None) -> list[Path]:
    """
    Return existing files that root can use, but the server cannot if it runs as the folder's owner.

    The result is empty unless root runs the check: other users get an error when they read such a
    file.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not config.folder.exists():
        return []
    owner = config.folder.stat().st_uid
    inside = [config.folder / name for name in (*_WRITTEN, *_READ)]
    named = (settings, config.certificate, config.certificate_key, config.password_file)
    paths = [*inside, *(path for path in (*named, config.mail.password_file) if path is not None)]
    return [path for path in dict.fromkeys(paths) if path.exists() and _is_foreign(path, owner)]


def _is_foreign(path: Path, owner: int) -> bool:
    """Return True if the user with this id cannot use a file. Root can use every file."""
    found = path.stat()
    # A file that is only read may belong to anybody if all may read it.
    is_read_by_all = found.st_mode & stat.S_IROTH and path.name not in _WRITTEN
    return owner not in {0, found.st_uid} and not is_read_by_all


def _fault_of(look: Callable[[Config], object], config: Config) -> Exception | None:
    try:
        look(config)
    except EXPECTED as fault:
        return fault
    return None


def _certificate(config: Config, words: CommandWords) -> None:
    own = config.folder / certificate.FILE_NAME
    if config.certificate is None and not own.exists():
        return
    path, now = config.certificate or own, dt.datetime.now(dt.UTC)
    first, last = certificate.validity_of(certificate_of(config))
    # Not a fault: the server would start with it.
    if now < first:
        key, day = "serve.certificate_early", first
    elif now > last:
        key, day = "serve.certificate_over", last
    elif now > last - dt.timedelta(days=certificate.SOON_DAYS):
        key, day = "serve.certificate_soon", last
    else:
        return
    said = words.say(key, path, day.astimezone().date().isoformat())
    _tell(f"manse serve: {said}", sys.stderr)


def _identity(config: Config) -> None:
    if not config.may_make_database:
        must_have_database(config.folder, config.folder / DATABASE)
    if (config.folder / identity.FILE_NAME).exists():
        identity.load_identity(config.folder, _make_none)


def _make_none(_: int) -> bytes:
    raise AssertionError("a check makes no identity")


def _database(config: Config, output: IO[str], words: CommandWords) -> None:
    version = version_of_file(config.folder / DATABASE)
    if 0 < version < SCHEMA_VERSION:
        _tell(words.say("serve.check_older", version, SCHEMA_VERSION), output)


def _tell(text: str, file: IO[str]) -> None:
    # A pack's mistakes quote what its author wrote.
    print(*map(visible, text.split("\n")), sep="\n", file=file)
