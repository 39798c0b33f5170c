#!/usr/bin/env bash
# Keep one comment on the pull request: found by its first line, made where there is none and there is something to say.
set -euo pipefail

place="$RUNNER_TEMP/driftwatch"
mark='<!-- driftwatch bumps -->'

if [ ! -s "$place/bumps.md" ]; then
  echo "driftwatch: there is no report to comment with"
  exit 0
fi

comments="repos/$GITHUB_REPOSITORY/issues/$NUMBER/comments"
# Only its own: anybody can begin a comment with that line. The token of a job cannot ask whose it is, that of a person can.
me=$(gh api user --jq .login 2> /dev/null) || me=""
whose=".user.type == \"Bot\""
if [[ "$me" =~ ^[A-Za-z0-9_-]+$ ]]; then whose=".user.login == \"$me\""; fi
mine=".[] | select($whose and (.body | startswith(\"$mark\"))) | .id"
if ! found=$(gh api --paginate "$comments?per_page=100" --jq "$mine" 2> "$place/comment.log"); then
  sed 's/^/driftwatch: /' "$place/comment.log"
  echo "driftwatch: comments cannot be read with this token; the report is in the summary of the job"
  exit 0
fi
id=${found%%$'\n'*}
if [ -z "$id" ] && [ "$CHANGED" = 0 ]; then
  exit 0
fi

# GitHub takes 65,536 characters; the report keeps room for the line before it.
python3 -I - "$mark" "$place/bumps.md" > "$place/comment.json" << 'PYTHON'
import json
import sys

mark, file = sys.argv[1:]
with open(file, encoding="utf-8") as report:
    print(json.dumps({"body": f"{mark}\n{report.read()}"}))
PYTHON

if [ -n "$id" ]; then
  to=(--method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id")
else
  to=(--method POST "$comments")
fi
if ! gh api "${to[@]}" --input "$place/comment.json" --silent 2> "$place/comment.log"; then
  sed 's/^/driftwatch: /' "$place/comment.log"
  # Pull requests from forks, and those of Dependabot unless the workflow says otherwise, can only read.
  echo "driftwatch: this token may not comment; the report is in the summary of the job"
fi
