"""
Cache of parsed packs in files, so that a start parses no YAML.

A file is named by the digest of the pack's files and of the program that parsed them, so a change
of either is a cache miss. It is a pickle restricted to our own attrs classes and enumerations: a
forged file can yield a wrong pack (an attacker who may write there could change the program
itself), but it cannot call anything. If anything is wrong with a file, the pack is parsed again.
"""

import functools
import gc
import hashlib
import importlib.util
import io
import os
import pickle
import sys
import tempfile
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.logger import Logger

from content.plugs import packs
from content.plugs.kind import LoadedPack
from content.reading.files import digest_of
from protocol.plugs import PLACES
from server.packs.sources import PackFiles

MOST_FILES: Final = 16
"""Maximum number of packs in the cache; the least recently used are evicted."""

_LAYERS: Final = ("content", "protocol")
"""Layers whose code decides how a pack is parsed."""
_DIGEST_BYTES: Final = 32


@attrs.frozen
class CompiledPacks:
    """Loads packs, from the cache if possible."""

    folder: Path | None
    """
    Folder of the cache, created with the first file for its owner alone; None disables the cache.
    """
    _log = Logger()

    def load(self, pack_id: str, files: Mapping[str, bytes]) -> LoadedPack:
        """
        Load a pack, from the cache or by parsing it; a parsed pack is added to the cache.

        Raises:
            ContentErrors: the pack cannot be used; all its mistakes are listed.
        """
        path = self._path(pack_id, files)
        if path is None:
            return packs.load(pack_id, files)
        pack = self._read(path)
        # A forged or misplaced file may hold another pack than its name says.
        if pack is None or (pack.id, pack.digest) != (pack_id, digest_of(files)):
            pack = packs.load(pack_id, files)
            # A pack that cannot be kept is only read from YAML again at the next start.
            body = pickled(pack)
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                # Readable by its owner alone; complete under its name, or not there.
                with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                    file.write(hashlib.sha256(body).digest() + body)
                Path(file.name).replace(path)
                kept = sorted(
                    path.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True
                )
                for old in kept[MOST_FILES:]:
                    old.unlink(missing_ok=True)
            except OSError as error:
                self._log.info("{path} cannot be kept: {why}", path=str(path), why=str(error))
        return pack

    def has(self, pack: PackFiles) -> bool:
        """Return True if the cache has the pack, parsed without mistakes by the present program."""
        path = self._path(pack.pack_id, pack.files)
        return path is not None and self._read(path) is not None

    def _path(self, pack_id: str, files: Mapping[str, bytes]) -> Path | None:
        if self.folder is None or not (program := _program_digest()):
            return None
        named = hashlib.sha256(program + digest_of(files) + pack_id.encode())
        return self.folder / f"{named.hexdigest()}.pack"

    def _read(self, path: Path) -> LoadedPack | None:
        try:
            kept = path.read_bytes()
            # The least recently used file is evicted first.
            os.utime(path)
        except OSError:
            return None
        digest, body = kept[:_DIGEST_BYTES], kept[_DIGEST_BYTES:]
        if hashlib.sha256(body).digest() != digest:
            self._log.warn("{path} is damaged; its pack is parsed again", path=str(path))
            return None
        return unpickled(body)


def pickled(pack: LoadedPack) -> bytes:
    """Pickle a pack in the subset that `unpickled` accepts."""
    written = io.BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(pack)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    """Writes the subset that `_Unpickler` accepts."""

    def reducer_override(self, value: Any) -> Any:
        # By themselves, members ask for `getattr` in Python 3.11.0 to 3.11.3.
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


def unpickled(body: bytes) -> LoadedPack | None:
    """Return the pack in a pickle; None if it cannot be read."""
    # A garbage collection meanwhile would traverse half a pack, and free nothing.
    was_on = gc.isenabled()
    gc.disable()
    try:
        found: Any = _Unpickler(io.BytesIO(body)).load()
    except (pickle.UnpicklingError, ImportError, AttributeError):
        return None
    finally:
        if was_on:
            gc.enable()
    return found if attrs.has(type(found)) else None


class _Unpickler(pickle.Unpickler):
    """Creates values of the readers' own attrs classes and enumerations, and of no other class."""

    def find_class(self, module: str, name: str) -> Any:
        if any(f"{module}.".startswith(f"{package}.") for package in _readers()):
            found = super().find_class(module, name)
            if isinstance(found, type) and (attrs.has(found) or issubclass(found, Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a pack")


def _readers() -> tuple[str, ...]:
    """Return the packages that parse packs: our own, and those of games installed beside them."""
    own = (place.package.format(layer=layer) for place in PLACES.values() for layer in _LAYERS)
    inside = tuple(f"{layer}." for layer in _LAYERS)
    return (*_LAYERS, *(package for package in own if not package.startswith(inside)))


def _program_digest() -> bytes:
    """Return the digest of the program that parses packs; empty if its sources are not found."""
    return _digest_of(_readers())


def _folder_of(package: str) -> str | None:
    """Return the folder of a package; None if there is none."""
    try:
        found = importlib.util.find_spec(package)
    except ModuleNotFoundError as error:
        # An entry point may stay behind when its game is removed. A failure inside is a bug there.
        if error.name is None or not f"{package}.".startswith(f"{error.name}."):
            raise
        return None
    return None if found is None else next(iter(found.submodule_search_locations or ()), None)


@functools.cache
def _digest_of(packages: tuple[str, ...]) -> bytes:
    digest = hashlib.sha256(f"{sys.version} {attrs.__version__}".encode())
    for package in packages:
        place = _folder_of(package)
        # A game needs no package of its own in each layer.
        if place is None:
            continue
        root = Path(place)
        sources = sorted(root.rglob("*.py"))
        if not sources:
            return b""
        for source in sources:
            about = source.stat()
            digest.update(f"{source} {about.st_size} {about.st_mtime_ns}\0".encode())
    return digest.digest()
