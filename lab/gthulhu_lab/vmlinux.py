# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""The kernel inside a bootable image.

QEMU starts it at once (PVH, as Xen does). The image would unpack it in the guest first, which takes
an emulated CPU longer than the rest of the boot.
"""

from __future__ import annotations

import struct

import zstandard

# The boot protocol (Documentation/arch/x86/boot.rst): the number of sectors before the kernel
# proper, less one; and where the header has offset and length of the payload, which begins there.
_SECTORS_AT, _SECTOR = 0x1F1, 512
_PAYLOAD_AT = struct.Struct("<II"), 0x248
_ZSTD = b"\x28\xb5\x2f\xfd"


def unpack(image: bytes) -> bytes | None:
    """Return the kernel in an image: ELF. None if the image is packed otherwise than by zstd.

    Raises ValueError if it is damaged.
    """
    if len(image) < _PAYLOAD_AT[1] + _PAYLOAD_AT[0].size:
        raise ValueError("no kernel image")
    begin, length = _PAYLOAD_AT[0].unpack_from(image, _PAYLOAD_AT[1])
    begin += (image[_SECTORS_AT] + 1) * _SECTOR
    payload = image[begin : begin + length]
    if not payload.startswith(_ZSTD):
        return None
    # The four bytes after the frame have the kernel's size. The frame itself lacks it.
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        kernel = frame.decompress(payload)
    except zstandard.ZstdError as error:
        raise ValueError(f"a damaged kernel: {error}") from error
    if not frame.eof:
        raise ValueError("a damaged kernel: it has no end")
    return kernel
