#!/bin/sh
# Runs one story without a terminal and merges it only when every criterion is proven.
# Usage: sh nightly.sh <goal> <criterion> [agent]
set -u
goal=$1 criterion=$2 agent=${3:-claude}

ambit run "$goal" --agent "$agent" --accept "$criterion" --json > story.json
case $? in
  0) ambit merge --yes ;;
  3) echo "Only a part is proven; see it with: ambit verify"; exit 3 ;;
  5) echo "A limit stopped it; see why with: ambit explain"; exit 5 ;;
  124) echo "It ran out of time; continue it with: ambit resume"; exit 124 ;;
  *) echo "It failed; see why with: ambit explain"; exit 1 ;;
esac
