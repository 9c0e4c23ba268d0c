"""What proves that a store keeps its promises."""
