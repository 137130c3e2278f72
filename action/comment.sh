#!/usr/bin/env bash
# Puts COMMENT on pull request NUMBER of GH_REPO: a new comment, or the earlier one edited.
#
# A token without the permission to write (a pull request from a fork) is no failure: the same
# text stands in the job's summary.
set -euo pipefail

# The job stands in the pull request's checkout.
cd "${RUNNER_TEMP:-/}"

[ -s "${COMMENT:-}" ] || exit 0
mark="$(head -n 1 "$COMMENT")"
# All are read before the first is taken: cutting the pipe would end `gh` as a failure.
found="$(gh api "repos/$GH_REPO/issues/$NUMBER/comments" --paginate \
  --jq ".[] | select(.body | startswith(\"$mark\")) | .id")" || found=""
earlier="${found%%$'\n'*}"
if [ -n "$earlier" ]; then
  put=(gh api --silent --method PATCH "repos/$GH_REPO/issues/comments/$earlier" -F "body=@$COMMENT")
else
  put=(gh api --silent --method POST "repos/$GH_REPO/issues/$NUMBER/comments" -F "body=@$COMMENT")
fi
"${put[@]}" || echo "::notice::The comment could not be written. See the job's summary."
