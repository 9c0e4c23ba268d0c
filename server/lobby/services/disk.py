"""The disk watermark: no table is opened on a nearly full disk, so that open tables can go on."""

from collections.abc import Callable

import attrs
from twisted.logger import Logger

from server.kernel.errors import Refused


@attrs.define(eq=False)
class DiskWatermark:
    """Refuses new tables while the disk is nearly full."""

    free: Callable[[], int]
    """Returns the free bytes on the disk of the store. OSError: the number is unknown."""
    low: int
    """Minimum number of free bytes for a new table; 0 turns the watermark off."""
    _was_low: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def refuse_if_low(self) -> None:
        """
        Refuse a new table if too little space is free.

        Log the beginning and the end of the shortage.
        """
        is_low = self._is_low()
        if is_low != self._was_low:
            self._was_low = is_low
            low = self.low // 1_000_000
            if is_low:
                self._log.warn("no table can be opened: under {low} MB are free", low=low)
            else:
                self._log.info(
                    "tables can be opened again: {low} MB are free on the disk",
                    low=low,
                    notice=True,
                )
        if is_low:
            raise Refused("table/disk_low")

    def _is_low(self) -> bool:
        try:
            return self.low > 0 and self.free() < self.low
        except OSError as error:
            # A table that cannot be stored stops by itself; this is only about being early.
            self._log.warn("how much of the disk is free is not known: {why}", why=str(error))
            return False


NO_WATERMARK = DiskWatermark(lambda: 0, 0)
"""Watermark for stores in memory, which refuses nothing."""
