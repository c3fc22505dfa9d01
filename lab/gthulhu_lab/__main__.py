# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m gthulhu_lab`: the lab's command line."""

from __future__ import annotations

import sys

from gthulhu_lab.cli import main

sys.exit(main())
