"""Whether nodes were cut from each other, and who served afterwards."""
