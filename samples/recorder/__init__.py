"""Records studies of servers that elect a leader: nodes in network namespaces, whose leader is lost again and again."""
