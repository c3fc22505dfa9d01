#!/bin/sh
# Stands for a report that takes hours: a script, and two processes that it has started.
sleep 1000 &
sleep 1000 &
wait
