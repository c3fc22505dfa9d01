#!/bin/sh
# Stands for an encoder: it computes for as long as it lives.
while :; do :; done
