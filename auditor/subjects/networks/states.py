"""What becomes of a network's node: loading, a network that everybody sees, removed.

Each is a label of its own, so that no query sees a network that is not whole unless it asks for one:
`LoadingNetwork` → `Network` → `RemovedNetwork`, or `LoadingNetwork` → `RemovedNetwork`. Every step but giving up is
taken under the store's lock.
"""

import shlex
from collections.abc import Mapping
from typing import Any

from auditor.core.errors import AlreadyExists, StoreConflict
from auditor.core.transactions import Transaction
from auditor.store.owner import LEASE_MILLISECONDS, Owner
from auditor.store.subjects import missing_subject

# read, under the store's lock
_NAME_TAKEN = """
OPTIONAL MATCH (n:AuditorNetwork {name: $name})
OPTIONAL MATCH (l:AuditorLoadingNetwork {name: $name})
RETURN n IS NOT NULL AS stored, l.owner AS loading
"""
# write
_BEGIN = """
MATCH (s:AuditorStore {key: 1}) SET s.networks = s.networks + 1
CREATE (l:AuditorLoadingNetwork {id: s.networks, name: $name, owner: $owner, lease: timestamp() + $lease})
RETURN l.id AS id
"""
# write
_PUBLISH = """
MATCH (l:AuditorLoadingNetwork {id: $id}) WHERE l.owner = $owner
REMOVE l:AuditorLoadingNetwork SET l:AuditorNetwork
REMOVE l.owner, l.lease
SET l += $properties
RETURN count(l) AS published
"""
# read, under the store's lock
_IS_PUBLISHED = "MATCH (n:AuditorNetwork {id: $id}) RETURN count(n) AS found"
# write
_GIVE_UP = """
MATCH (l:AuditorLoadingNetwork {id: $id}) WHERE l.owner = $owner
REMOVE l:AuditorLoadingNetwork SET l:AuditorRemovedNetwork REMOVE l.name
RETURN count(l) AS given_up
"""
# read, under the store's lock: what this owner has removed already
_HIDDEN = "MATCH (n:AuditorRemovedNetwork {id: $id, owner: $owner}) RETURN count(n) AS found"
# write: the relabellings of its exports are as protected as the network, and go with it
_HIDE = """
MATCH (n:AuditorNetwork {name: $name, id: $id})
REMOVE n:AuditorNetwork SET n:AuditorRemovedNetwork
REMOVE n.name SET n.owner = $owner, n.lease = timestamp() + $lease
WITH n
OPTIONAL MATCH (x:AuditorExport)-[:FROM]->(n)
SET x.key_kept = false
WITH n, collect(x.id) AS exports
OPTIONAL MATCH (p:AuditorRelabellingPart) WHERE p.export IN exports
DELETE p
RETURN DISTINCT n.id AS id, n.checksum AS checksum
"""


def already_there(name: str) -> AlreadyExists:
    """Return the error that says that a name is taken, and how the network is replaced."""
    return AlreadyExists(
        f"there is a network {name!r} already; choose another name. To replace it: auditor network remove "
        f"{shlex.quote(name)}, which also deletes the keys of its exports, then add it again"
    )


def begin(tx: Transaction, name: str, owner: Owner) -> int:
    """Take a name for a network that `owner` will load, and return the network's id.

    Raises
    ------
    AlreadyExists
        If there is a network of that name, or another process is loading one.
    """
    taken = tx.run(_NAME_TAKEN, name=name).single(strict=True)
    if taken["stored"]:
        raise already_there(name)
    if taken["loading"] is not None:
        raise AlreadyExists(f"a network {name!r} is being loaded by another process; wait or choose another name")
    record = tx.run(_BEGIN, name=name, owner=owner.text, lease=LEASE_MILLISECONDS).single(strict=True)
    return int(record["id"])


def publish(tx: Transaction, network: int, owner: Owner, properties: Mapping[str, Any]) -> bool:
    """Let everybody see a network that is whole; False if a try before was committed and this is its repetition.

    Raises
    ------
    StoreConflict
        If another process took the load for abandoned.
    """
    if tx.run(_IS_PUBLISHED, id=network).single(strict=True)["found"]:
        return False
    done = tx.run(_PUBLISH, id=network, owner=owner.text, properties=dict(properties)).single(strict=True)
    if not done["published"]:
        raise StoreConflict("this load was taken for abandoned by another process; run it again")
    return True


def give_up(tx: Transaction, network: int, owner: Owner) -> bool:
    """Mark an unfinished load as removed; False for a network that was published, even if no process learned of it."""
    return bool(tx.run(_GIVE_UP, id=network, owner=owner.text).single(strict=True)["given_up"])


def hide(tx: Transaction, name: str, owner: Owner, identifier: int) -> bool:
    """Mark a network as removed, and forget the relabellings of its exports; False if a try before was committed.

    Raises
    ------
    NotFound
        If there is none of that name.
    """
    if tx.run(_HIDDEN, id=identifier, owner=owner.text).single(strict=True)["found"]:
        return False
    record = tx.run(_HIDE, name=name, id=identifier, owner=owner.text, lease=LEASE_MILLISECONDS).single()
    if record is None:
        raise missing_subject("network", name)
    return True
