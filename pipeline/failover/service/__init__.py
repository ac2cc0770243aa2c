"""Services: the node that has them, what starts and stops them, and when their failover is over."""
