"""What the package offers: each name, and the module that it is imported from when it is first used."""

from auditor.store.opening import Store as Store
from auditor.store.opening import StoreInfo as StoreInfo
from auditor.store.opening import copy_store as copy_store
from auditor.store.opening import open_store as open_store
from auditor.store.opening import restore_store as restore_store
