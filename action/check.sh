#!/usr/bin/env bash
# Audits a kit's checkout and, where BASE names a commit, what changed since it.
#
# Reads: PYTHON, KIT, CHECKOUT, BASE (may be empty), FAIL_ON, SPOKEN (en or zh, may be unset), and of
# the runner RUNNER_TEMP, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY. Exit code: that of `codemod check`.
set -euo pipefail

# The job's folder is the pull request's checkout: neither Python nor git is to take anything that
# lies there for a part of itself.
CHECKOUT="$(cd "$CHECKOUT" && pwd -P)"
export PYTHONSAFEPATH=1 GIT_CONFIG_COUNT=2
export GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null
export GIT_CONFIG_KEY_1=core.fsmonitor GIT_CONFIG_VALUE_1=false
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP

out="$RUNNER_TEMP/codemod-check"
mkdir -p "$out"
cd "$out"
comment="$out/comment.md"
sarif="$out/codemod.sarif"
check=("$PYTHON" -I -m codemod check "$KIT" --workspace "$out/workspace")

baseline=()
if [ -n "${BASE:-}" ]; then
  if ! git -C "$CHECKOUT" cat-file -e "$BASE^{commit}" 2>/dev/null; then
    echo "The base commit $BASE is not in the checkout. Check out with fetch-depth: 0." >&2
    exit 3
  fi
  before="$out/before"
  git -C "$CHECKOUT" worktree remove --force "$before" 2>/dev/null || true
  git -C "$CHECKOUT" worktree add --quiet --detach "$before" "$BASE"
  trap 'git -C "$CHECKOUT" worktree remove --force "$before"' EXIT
  "${check[@]}" --path "$before" --baseline "$out/baseline.json" --write-baseline >/dev/null
  baseline=(--baseline "$out/baseline.json")
fi

code=0
"${check[@]}" --path "$CHECKOUT" "${baseline[@]}" --fail-on "$FAIL_ON" \
  --language "${SPOKEN:-en}" --comment "$comment" --sarif >"$sarif" || code=$?
if [ -s "$comment" ]; then
  {
    echo "comment=$comment"
    echo "sarif=$sarif"
  } >>"$GITHUB_OUTPUT"
  cat "$comment" >>"$GITHUB_STEP_SUMMARY"
  cat "$comment"
fi
exit "$code"
