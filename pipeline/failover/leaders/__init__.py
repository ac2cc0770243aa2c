"""Leaders of stacks whose nodes elect one: who leads, who took over, who was missed."""
