"""The pages about haledger, and what writes those of them that are generated: `python -m docs`."""
