#!/bin/sh
# finish.sh: merges what the shards have done so far, and lists what is to be reduced. May be
# run at any time, and again.
set -u
"@MESTRA@" merge "@SHARED@/whole" "@SHARED@"/parts/*
code=$?
case $code in
0 | 2 | 3 | 5 | 6) ;;
*) exit "$code" ;;
esac
"@MESTRA@" reduce --list --alike @ALIKE@ "@SHARED@/whole" >"@SHARED@/reduce.txt"
