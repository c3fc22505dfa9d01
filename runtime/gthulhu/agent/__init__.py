# SPDX-License-Identifier: Apache-2.0
"""`gthulhu agent`: tells the loader which cgroups belong to which containers."""
