#!/usr/bin/env bash
# Look at what a pull request changes. Nothing of the report goes to the log, where lines can be commands.
set -euo pipefail

place="$RUNNER_TEMP/driftwatch"
options=()
if [ "$IGNORE_UNSEEN" = true ]; then options+=(--ignore-unseen); fi
if [ "$NETWORK" = true ]; then options+=(--network); fi

mkdir -p "$place"
rm -f "$place"/bumps.*
code=0
"$place/venv/bin/driftwatch" bumps --repository "$GITHUB_WORKSPACE" --base "$BASE" --head "$HEAD" \
  --fail-on "$FAIL_ON" "${options[@]}" --format json --write "markdown=$place/bumps.md" \
  --write "sarif=$place/bumps.sarif" > "$place/bumps.json" 2> "$place/bumps.log" || code=$?

sed 's/^/driftwatch: /' "$place/bumps.log"
changed=unknown written=false
if [ -s "$place/bumps.md" ]; then
  written=true
  changed=$(python3 -I -c 'import json, sys; print(len({one["subject"]["server"] or one["subject"]["after"] for one in json.load(open(sys.argv[1], encoding="utf-8"))["reports"]}))' "$place/bumps.json")
  cat "$place/bumps.md" >> "$GITHUB_STEP_SUMMARY"
fi
{
  echo "changed=$changed"
  echo "written=$written"
  echo "exit-code=$code"
} >> "$GITHUB_OUTPUT"
echo "driftwatch: servers and lock files changed: $changed; ended with $code"
