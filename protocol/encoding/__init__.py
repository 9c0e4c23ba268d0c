"""
The parts of the canonical encoding: bytes and plain values, the walk over types, and converters.

`protocol.codec` is what other modules import.
"""
