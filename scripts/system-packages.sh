#!/usr/bin/env bash
# Makes sure the system programs the tests need are there.
# Root on Debian: installs what is missing. Anyone else: prints the one line to run, and fails.
set -euo pipefail

# One line each: <Debian package>:<program that proves it>. Add yours here.
needed=(
  git:git
  perl:perl
  bubblewrap:bwrap
  bsdutils:script
  faketime:faketime
  zsh:zsh
  fish:fish
  chromium:chromium
  tmux:tmux
  postgresql:pg_ctlcluster
  redis-server:redis-server
)

list_missing() {
  local entry
  for entry in "${needed[@]}"; do
    command -v "${entry#*:}" >/dev/null 2>&1 || printf '%s ' "${entry%%:*}"
  done
}

missing="$(list_missing)"
if [ -z "$missing" ]; then exit 0; fi

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing system packages: $missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2
  # Unquoted on purpose: one word per package.
  apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 $missing >&2
  missing="$(list_missing)"
  if [ -z "$missing" ]; then exit 0; fi
  echo "Still missing after the install: $missing" >&2
  exit 1
fi

echo "The tests need system packages that are not here: $missing" >&2
if command -v apt-get >/dev/null 2>&1; then
  echo "Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing" >&2
else
  echo "Install the equivalents with your package manager (the names are Debian's)." >&2
fi
exit 1
