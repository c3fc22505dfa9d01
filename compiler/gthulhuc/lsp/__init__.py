# SPDX-License-Identifier: Apache-2.0
"""The language server: what the compiler knows, in an editor.

Only `server` knows the protocol; the other modules take texts and offsets and can be tested alone.
"""
