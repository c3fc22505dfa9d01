# SPDX-License-Identifier: Apache-2.0
"""The language server.

Only `server` knows the protocol; the other modules take texts and offsets.
"""
