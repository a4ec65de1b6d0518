"""Settings: which Spark works on files larger than memory, and with how much memory."""

import re

from pydantic import Field, field_validator

from auditor.config.sections import MEMORY, Section

FORMS = "local[N], local-cluster[EXECUTORS,CORES,MIB], spark://HOST:PORT, yarn, k8s://URL or sc://HOST:PORT"
"""What the address of a Spark may look like."""
_HOSTS = r"[A-Za-z0-9_.\-\[\]:]*[A-Za-z0-9_.\-\]]:[0-9]{1,5}"
_MASTER = re.compile(
    r"local(\[([1-9][0-9]*|\*)(,[1-9][0-9]*)?\])?"
    r"|local-cluster\[[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*\]"
    rf"|spark://{_HOSTS}(,{_HOSTS})*"
    r"|yarn"
    r"|k8s://[!-~]+"
    r"|sc://[A-Za-z0-9_.\-]+(:[0-9]{1,5})?(/(;[!-~]*)?)?"
)
_CONNECT_PORT = 15002


class SparkSettings(Section):
    """Which Spark works on files larger than memory.

    Parameters
    ----------
    master : str
        Where it runs: in this process (``local[N]``), on a cluster, or behind Spark Connect (``sc://HOST:PORT``).
    memory : str or None
        Such as ``8g``: of every executor, or of this process where Spark is in it; None is half of the machine's
        here, and what Spark itself is set to elsewhere.
    """

    master: str = "local[*]"
    memory: str | None = Field(default=None, pattern=MEMORY)

    @field_validator("master")
    @classmethod
    def _is_address(cls, master: str) -> str:
        master = master.strip().replace(", ", ",")
        if not _MASTER.fullmatch(master):
            raise ValueError(f"must be the address of a Spark: {FORMS}")
        return master

    @property
    def shown(self) -> str:
        """The address without what it may hold to log in."""
        return self.master.partition(";")[0]

    @property
    def is_here(self) -> bool:
        """Whether it runs in this process."""
        return self.master == "local" or self.master.startswith("local[")

    @property
    def is_local_cluster(self) -> bool:
        """Whether its executors are processes of this machine that it starts itself."""
        return self.master.startswith("local-cluster[")

    @property
    def is_connect(self) -> bool:
        """Whether it is behind Spark Connect."""
        return self.master.startswith("sc://")

    @property
    def places(self) -> list[tuple[str, int]]:
        """Hosts and ports of which one must answer; none where Spark finds them itself.

        Examples
        --------
        >>> SparkSettings(master="spark://a:7077,b:7077").places
        [('a', 7077), ('b', 7077)]
        >>> SparkSettings(master="sc://connect.example").places
        [('connect.example', 15002)]
        """
        if not self.master.startswith(("spark://", "sc://")):
            return []
        hosts = self.master.partition("://")[2].partition("/")[0].split(",")
        pairs = [host.rpartition(":") if ":" in host else (host, "", _CONNECT_PORT) for host in hosts]
        return [(host.strip("[]"), int(port)) for host, _, port in pairs]
