#!/bin/sh
# Brings the project into this container and runs one command of ambit in it: worker by default.
#   AMBIT_PROJECT           address of the project's git repository
#   AMBIT_CLUSTER_URL_FILE  file with the address of PostgreSQL
set -eu

: "${AMBIT_PROJECT:?set it to the address of the git repository of the project}"
project="$HOME/project"

if [ ! -d "$project/.git" ]; then
  git clone --quiet "$AMBIT_PROJECT" "$project"
fi
cd "$project"
# Whoever starts this container decides which project it works for.
ambit trust --yes >/dev/null

if [ "${1:-worker}" = coordinator ]; then
  ambit cluster init
  shift
  exec ambit dashboard --no-open --host "${AMBIT_DASHBOARD_HOST:-127.0.0.1}" --port "${AMBIT_DASHBOARD_PORT:-4400}" "$@"
fi
exec ambit "$@"
