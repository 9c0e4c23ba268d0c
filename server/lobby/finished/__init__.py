"""What people do with a finished game: export, share, review, practise."""
