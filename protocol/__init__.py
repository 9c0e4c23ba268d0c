"""What both ends agree on: frames, codec, events, commitments, messages. No I/O and no rules."""
