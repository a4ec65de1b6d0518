"""What the package offers: each name, and the module that it is imported from when it is first used."""

from auditor.store.local.launcher import LocalStatus as LocalStatus
from auditor.store.local.launcher import ensure_running as ensure_running
from auditor.store.local.launcher import install as install
from auditor.store.local.launcher import status as status
from auditor.store.local.launcher import stop as stop
from auditor.store.local.state import ServerState as ServerState
from auditor.store.local.state import is_running as is_running
