#!/usr/bin/env bash
# Install driftwatch beside the runner, at the pinned versions of the commit of this action, and see to the sandbox.
set -euo pipefail

root=$(cd "$GITHUB_ACTION_PATH/../.." && pwd)
place="$RUNNER_TEMP/driftwatch"

mkdir -p "$place"
python3 -I -m venv "$place/venv"
"$place/venv/bin/pip" install --quiet --require-hashes -r "$root/requirements.txt" -r "$root/requirements-build.txt"
"$place/venv/bin/pip" install --quiet --no-deps --no-build-isolation "$root"

# Servers of a pull request are started in bubblewrap or not at all.
if ! command -v bwrap > /dev/null; then
  sudo apt-get update --quiet --quiet
  sudo apt-get install --quiet --quiet --yes bubblewrap
fi
# Ubuntu 24.04 lets nobody but root make the namespaces that a sandbox is made of, unless it is told to.
if ! bwrap --unshare-all --ro-bind / / true 2> /dev/null; then
  sudo sysctl --quiet --write kernel.apparmor_restrict_unprivileged_userns=0 || true
fi
