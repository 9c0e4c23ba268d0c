"""`manse admin`: the command line, screen and words of an operator."""
