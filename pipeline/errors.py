"""The errors that users see, with their exit codes.

HaledgerError
├── UsageError       a command, option or study.toml is invalid (2)
├── InputError       no input can be used (3)
├── StoreError       the store is locked, damaged or not ours, or what is written is refused (4)
├── MachineError     the machine gives no memory or no place for temporary files (4)
├── DeclarationError a contributed table or figure is declared wrongly (1)
└── CheckFailedError a check was evaluated and did not hold (5)
"""

import errno

REFUSED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EACCES, errno.EPERM, errno.EROFS})
"""What a system says of a write that a disk, a quota or an owner refuses, whatever the command writes."""


class HaledgerError(Exception):
    """A situation that the user can understand and act on; its text is the whole message."""

    exit_code = 1


class UsageError(HaledgerError):
    """A command, option or study.toml that is invalid."""

    exit_code = 2


class InputError(HaledgerError):
    """Input that is missing, unreadable or not recognised."""

    exit_code = 3

    @classmethod
    def unrecognised(cls, study: object, file_count: int) -> "InputError":
        """A study without any file that was recognised."""
        if file_count == 0:
            return cls(f"{study}: no log file found; give a folder of logs or one log file")
        files = "its only file was not" if file_count == 1 else f"none of its {file_count} files was"
        return cls(f"{study}: {files} recognised; `haledger explain {study}` shows why, and what would read it")


class StoreError(HaledgerError):
    """A store that is locked, damaged, or was not written by haledger."""

    exit_code = 4


class MachineError(HaledgerError):
    """Something that every program needs, and that this machine does not give."""

    exit_code = 4


class DeclarationError(HaledgerError):
    """A table or figure of the report whose declaration names what is not there: a mistake of its author."""


class CheckFailedError(HaledgerError):
    """A check that was evaluated and did not hold."""

    exit_code = 5
