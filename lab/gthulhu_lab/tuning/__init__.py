# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""`gthulhu tune`: searches values of a policy that keep its claims by more, at less cost."""
