"""
A SQLite file layer over a `Disk`, in which calls fail, lie, or never come back.

A `Machine` is one run of the operating system with one process on it. When it dies every later
call fails, so that the SQLite connection that is left behind can change nothing more; the next
machine is started on the same disk.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import apsw
from typing_extensions import Buffer, override

from tests.kit.stores.disk import Disk, DiskFile

_numbers = count()

Fault = Callable[[str, str], Exception | None]
"""
Function that returns the error of a call, given the call (such as "sync") and the name of the file;
None for no error.
"""


def no_fault(_call: str, _name: str) -> Exception | None:
    """Let every call succeed."""
    return None


class Machine(apsw.VFS):
    """A file layer that counts the calls that change the disk, and dies at one of them."""

    read_fault: Callable[[str], Exception | None]
    """Returns the error of a read, given the name of the file; None for no error."""
    fault: Fault
    """Returns the error of a call that changes the disk; None for no error."""
    calls: int
    """Number of calls so far that change the disk."""
    is_dead: bool
    """True once the process has ended."""
    has_lost_power: bool

    def __init__(
        self,
        disk: Disk,
        *,
        dies_at: int | None = None,
        loses_power: bool = True,
        is_lying: bool = False,
        characteristics: int = apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE,
    ) -> None:
        """
        Start the machine and register it under `name`.

        Args:
            disk: outlives this machine.
            dies_at: number of the changing call that never returns; None for never. A write has
                reached the cache by then, other calls have done nothing.
            loses_power: true for a power cut, false for the end of the process alone.
            is_lying: true if a sync reports success and does nothing.
            characteristics: what the disk promises SQLite.
        """
        self.name = f"machine-{next(_numbers)}"
        super().__init__(self.name, base="")
        self.disk = disk
        self.fault = no_fault
        self.read_fault = lambda _: None
        self.calls = 0
        self.is_dead = False
        self.has_lost_power = False
        self.is_lying = is_lying
        self.characteristics = characteristics
        self._dies_at = dies_at
        self._loses_power = loses_power

    def kill(self) -> None:
        """End the process; its writes stay in the cache of the operating system."""
        self.is_dead = True
        self.unregister()

    def cut_power(self) -> None:
        """End the process and lose what was not synced."""
        self.kill()
        self.has_lost_power = True
        self.disk.cut_power()

    def die_in(self, calls: int, *, loses_power: bool) -> None:
        """Die at the changing call that is `calls` calls from now."""
        self._dies_at, self._loses_power = self.calls + calls, loses_power

    def before_change(self, call: str, name: str) -> None:
        """Count a changing call, and fail it if its turn has come."""
        self.check()
        self.calls += 1
        if self.calls == self._dies_at:
            if self._loses_power:
                self.cut_power()
            else:
                self.kill()
            self.check()
        error = self.fault(call, name)
        if error is not None:
            raise error

    def is_last_call(self) -> bool:
        """True if the next changing call is the one that never returns."""
        return not self.is_dead and self.calls + 1 == self._dies_at

    def check(self) -> None:
        """Raise an I/O error if the machine is dead."""
        if self.is_dead:
            raise apsw.exception_for(apsw.SQLITE_IOERR)

    @override
    def excepthook(self, *_about: object) -> bool:
        """Print nothing: SQLite ignores some failures on purpose."""
        return True

    @override
    def xFullPathname(self, name: str) -> str:
        return name

    @override
    def xAccess(self, pathname: str, flags: int) -> bool:
        """Return whether a file exists; every existing one may be read and written."""
        self.check()
        return pathname in self.disk.names

    @override
    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.before_change("delete", filename)
        self.disk.remove(filename, sync=syncdir)

    @override
    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        """Open a file, creating it if there is none."""
        self.check()
        assert name is not None, "temporary files are kept in memory"
        filename = name if isinstance(name, str) else name.filename()
        if filename not in self.disk.names:
            self.before_change("open", filename)
        flags[1] = flags[0]
        return MachineFile(self, filename, self.disk.make(filename))


class MachineFile(apsw.VFSFile):
    """One open file of a machine."""

    def __init__(self, machine: Machine, name: str, file: DiskFile) -> None:
        """Skip the parent's constructor, which would open a real file."""
        self._machine = machine
        self._name = name
        self._file = file

    @override
    def excepthook(self, *_about: object) -> bool:
        """Print nothing: SQLite ignores some failures on purpose."""
        return True

    @override
    def xRead(self, amount: int, offset: int) -> bytes:
        """Read from the cache."""
        self._machine.check()
        error = self._machine.read_fault(self._name)
        if error is not None:
            raise error
        return bytes(self._file.seen[offset : offset + amount])

    @override
    def xWrite(self, data: Buffer, offset: int) -> None:
        """Write to the cache; a failing call may have done its work, or half of it."""
        whole = bytes(data)
        if self._machine.is_last_call():
            self._file.write(whole, offset)
        try:
            self._machine.before_change("write", self._name)
        except apsw.FullError:
            self._file.write(whole[: len(whole) // 2], offset)
            raise
        self._file.write(whole, offset)

    @override
    def xTruncate(self, newsize: int) -> None:
        """Shorten the file in the cache."""
        self._machine.before_change("truncate", self._name)
        self._file.truncate(newsize)

    @override
    def xSync(self, flags: int) -> None:
        """Make the file durable, or a part of it if the call fails."""
        try:
            self._machine.before_change("sync", self._name)
        except apsw.IOError:
            if not self._machine.is_dead:
                self._machine.disk.fail_to_sync(self._file)
            raise
        if not self._machine.is_lying:
            self._machine.disk.sync(self._file)

    @override
    def xFileSize(self) -> int:
        """Return the cached length."""
        self._machine.check()
        return len(self._file.seen)

    @override
    def xFileControl(self, op: int, ptr: int) -> bool:
        """Support no special operation."""
        return False

    @override
    def xSectorSize(self) -> int:
        """Return the size of the unit that a torn write may damage."""
        return 512

    @override
    def xDeviceCharacteristics(self) -> int:
        return self._machine.characteristics

    @override
    def xLock(self, level: int) -> None:
        """Do nothing: with one process there is nobody to keep out."""

    @override
    def xUnlock(self, level: int) -> None:
        """Do nothing: there is only one process."""

    @override
    def xCheckReservedLock(self) -> bool:
        return False

    @override
    def xClose(self) -> None:
        pass
