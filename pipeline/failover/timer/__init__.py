"""The timers by which a cluster declares a node lost: as files specify them, and as lines show them."""
