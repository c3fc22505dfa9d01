# SPDX-License-Identifier: Apache-2.0
"""The Python half of the runtime: commands that load policies, ask the loader and watch tasks."""
