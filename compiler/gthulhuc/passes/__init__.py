# SPDX-License-Identifier: Apache-2.0
"""The checks between the AST and the checked policy; `pipeline` has their order."""
