"""Views, from `cut` to messages: viewers, their delay, rendering, followers and words."""
