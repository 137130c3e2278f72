#!/usr/bin/env bash
# Installs what codemod needs into a folder of the runner's, and codemod itself beside it.
#
# Reads: PYTHON, GITHUB_ACTION_PATH, RUNNER_TEMP. It stands in a folder of its own: the job's is the
# pull request's checkout, in which Python would look for modules.
set -euo pipefail

cd "$GITHUB_ACTION_PATH"
export PYTHONSAFEPATH=1
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP
venv="$RUNNER_TEMP/codemod"
"$PYTHON" -I -m venv "$venv"
"$venv/bin/python" -I -m pip install --quiet --require-hashes \
  --requirement "$GITHUB_ACTION_PATH/action/requirements.lock"
purelib="$("$venv/bin/python" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
echo "$GITHUB_ACTION_PATH" >"$purelib/codemod.pth"
