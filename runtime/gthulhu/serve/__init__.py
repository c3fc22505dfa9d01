# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve`: the node's API, and the broker between it and the loader."""
