"""The protocol shared by client and server: frames, codec, events, messages. No I/O, no rules."""
