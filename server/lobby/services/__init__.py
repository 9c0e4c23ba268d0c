"""Services of the lobby: store, clock, content, entropy; locks and timers."""
