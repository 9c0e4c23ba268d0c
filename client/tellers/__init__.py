"""What tellers are made of, which put each kind of event into words."""
