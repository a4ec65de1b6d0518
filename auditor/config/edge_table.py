"""Settings: what the database for edge tables may use."""

from pathlib import Path

from pydantic import Field, field_validator

from auditor.config.section import MEMORY, Section


class EdgeTableSettings(Section):
    """What the database may use that works on edge tables larger than memory.

    Parameters
    ----------
    memory : str or None
        Such as ``8g`` or ``512m``, for the tables; None is half of the machine's. The process needs some more.
    threads : int or None
        None is one for each processor.
    folder : Path or None
        Where temporary files go past that memory; None is beside the output, or the folder for temporary files.
    """

    memory: str | None = Field(default=None, pattern=MEMORY)
    threads: int | None = Field(default=None, gt=0)
    folder: Path | None = None

    @field_validator("folder")
    @classmethod
    def _is_folder(cls, folder: Path | None) -> Path | None:
        if folder is not None and not folder.expanduser().is_dir():
            raise ValueError("must be a folder that exists")
        return None if folder is None else folder.expanduser()

    @property
    def memory_bytes(self) -> int | None:
        """The memory in bytes."""
        return None if self.memory is None else int(self.memory[:-1]) << {"k": 10, "m": 20, "g": 30}[self.memory[-1]]
