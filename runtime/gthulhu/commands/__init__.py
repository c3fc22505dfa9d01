# SPDX-License-Identifier: Apache-2.0
"""The commands of the runtime, each registered in pyproject.toml as `gthulhu.commands`."""
