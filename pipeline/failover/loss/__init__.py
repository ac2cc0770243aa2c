"""When a node counts as lost: the lines that declare it, the node that they mean, and losses that are one event."""
