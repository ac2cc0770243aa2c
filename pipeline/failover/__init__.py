"""What happened in a failover: who was lost, when, and what came of it.

A fold of evidence: plain functions of rows, which know neither store nor files. SQL selects the evidence, a step at a
time becomes a relation (`pipeline.failover.step`), and views over these compute the statistics.
"""
