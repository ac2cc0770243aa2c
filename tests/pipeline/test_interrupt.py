"""An interrupt is heard, and what native code prints of it is not."""

import subprocess
import sys

PROGRAM = """
import os, signal
from pipeline import interrupt
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
interrupt.raise_error()
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    os.write(2, b"thread panicked")
assert interrupt.is_heard()
interrupt.forget()
os.write(2, b"our words")
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    os.write(2, b"thread panicked")
interrupt.end_at_once()
os.kill(os.getpid(), signal.SIGINT)
"""


def test_from_an_interrupt_on_only_our_own_words_are_printed() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (130, "our wordshaledger: interrupted\n", "")
