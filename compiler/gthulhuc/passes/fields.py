# SPDX-License-Identifier: Apache-2.0
"""What the language knows about fields: which there are, and which of them are taken so far."""

from __future__ import annotations

from gthulhuc.checked import Field

# A task's name has 16 bytes in the kernel, the last one a NUL (TASK_COMM_LEN).
COMM_MAX = 15

SUPPORTED = {field.value: field for field in Field}
NOT_YET = (
    "parent",
    "ancestor",
    "unit",
    "qos",
    "label",
    "namespace",
    "pod",
    "container",
    "uid",
    "gid",
    "nice",
    "kthread",
    "leader",
    "calls",
    "interactive",
)
ALL_FIELDS = (*SUPPORTED, *NOT_YET)


def is_task_name(field: Field) -> bool:
    """Whether the field is a name of at most COMM_MAX bytes."""
    return field in (Field.COMM, Field.PROCESS)
