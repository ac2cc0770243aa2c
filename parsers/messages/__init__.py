"""What a message says in any log: kinds, resources, nodes. The vocabulary is data."""
