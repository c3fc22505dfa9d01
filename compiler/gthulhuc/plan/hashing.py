# SPDX-License-Identifier: Apache-2.0
"""Builds a perfect hash of names: every literal has its own slot, so one lookup finds it.

Hash and displace (Pagh, "Hash and Displace", WADS 1999): keys are thrown into buckets; each
bucket, the fullest first, gets the first displacement that leads all its keys to free slots.
"""

from __future__ import annotations

from collections.abc import Sequence

from gthulhuc.irmatch import Hash

NAME_BYTES = 16
_MASK = (1 << 64) - 1
_TRIES_PER_SIZE = 16
_MAX_DISPLACEMENT = 1 << 16


def words(name: bytes) -> tuple[int, int]:
    """Returns a name as two little-endian words, the kernel's 16 bytes."""
    padded = name.ljust(NAME_BYTES, b"\0")
    return int.from_bytes(padded[:8], "little"), int.from_bytes(padded[8:], "little")


def slot_of(name: bytes, table: Hash) -> int:
    """Returns the slot of a name; the entry there must be compared with the name."""
    bucket, slot = _split(_hash(words(name), table.multipliers), table.bucket_bits, table.slot_bits)
    return slot ^ table.displacements[bucket]


def build(names: Sequence[bytes]) -> Hash:
    """Returns a hash that gives each of these distinct names its own slot.

    It is deterministic in the names and their order.
    """
    slot_bits = max(1, (len(names) * 17 // 16).bit_length())
    bucket_bits = max(1, slot_bits - 2)
    keys = [words(name) for name in names]
    attempt = 0
    while True:
        multipliers = (_odd(2 * attempt), _odd(2 * attempt + 1))
        displacements = _displace(keys, multipliers, bucket_bits, slot_bits)
        if displacements is not None:
            return Hash(multipliers, bucket_bits, slot_bits, tuple(displacements))
        attempt += 1
        if attempt % _TRIES_PER_SIZE == 0:
            slot_bits += 1
            bucket_bits += 1


def _hash(key: tuple[int, int], multipliers: tuple[int, int]) -> int:
    return (key[0] * multipliers[0] + key[1]) * multipliers[1] & _MASK


def _split(hashed: int, bucket_bits: int, slot_bits: int) -> tuple[int, int]:
    """Bucket and slot of a hash: its highest bits, and those below them."""
    bucket = hashed >> 64 - bucket_bits
    return bucket, hashed >> 64 - bucket_bits - slot_bits & (1 << slot_bits) - 1


def _displace(
    keys: list[tuple[int, int]], multipliers: tuple[int, int], bucket_bits: int, slot_bits: int
) -> list[int] | None:
    """The displacement of each bucket; None if some bucket does not fit."""
    buckets: list[list[int]] = [[] for _ in range(1 << bucket_bits)]
    for key in keys:
        bucket, slot = _split(_hash(key, multipliers), bucket_bits, slot_bits)
        buckets[bucket].append(slot)
    order = sorted(range(len(buckets)), key=lambda number: (-len(buckets[number]), number))
    displacements = [0] * len(buckets)
    taken = bytearray(1 << slot_bits)
    limit = min(1 << slot_bits, _MAX_DISPLACEMENT)
    for number in order:
        slots = buckets[number]
        if not slots:
            break
        if len(set(slots)) < len(slots):
            return None
        displacement = _fitting(slots, taken, limit)
        if displacement is None:
            return None
        displacements[number] = displacement
        for slot in slots:
            taken[slot ^ displacement] = 1
    return displacements


def _fitting(slots: list[int], taken: bytearray, limit: int) -> int | None:
    """The first displacement that takes these slots to free ones.

    A loop: most of the time of a large policy's hash is spent here, and `any` takes twice as long.
    """
    for displacement in range(limit):
        for slot in slots:
            if taken[slot ^ displacement]:
                break
        else:
            return displacement
    return None


def _odd(number: int) -> int:
    """The n-th of a fixed sequence of odd multipliers (Steele and others' SplitMix64)."""
    z = (number + 1) * 0x9E3779B97F4A7C15 & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return (z ^ z >> 31) | 1
