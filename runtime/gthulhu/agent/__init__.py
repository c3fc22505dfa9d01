# SPDX-License-Identifier: Apache-2.0
"""`gthulhu agent`: tells the loader which cgroup is of which container, as they come and go."""
