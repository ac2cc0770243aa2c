"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)  # how fast an example is depends on what else the machine does
settings.load_profile("unhurried")
