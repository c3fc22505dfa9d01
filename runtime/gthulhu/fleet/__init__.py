# SPDX-License-Identifier: Apache-2.0
"""Policies as Kubernetes resources, with proof and canary."""
