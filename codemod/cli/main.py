"""The entry point: find the command, run it, turn whatever goes wrong into one sentence."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from codemod.base.errors import CodemodError, EnvironmentFault, UsageError, did_you_mean
from codemod.base.terminal.doing import note
from codemod.base.terminal.text import one_line
from codemod.base.version import version
from codemod.cli.quiet import hushed, split
from codemod.cli.terminal import colours, help_width, make_sayable

# Name -> line in `codemod --help`. The command itself is `command` in the module of that name in
# `cli/commands/`, imported only when it is run; a new command is a new module and a line here.
COMMANDS = {
    "kits": "List the kits: source, revision, models, hooks.",
    "apply": "Insert the hooks into a kit.",
    "diff": "Print the change as a git patch; the kit is not changed.",
    "check": "Check that hooks are complete, reachable and well placed.",
    "fix": "Rewrite model code that static graphs cannot run, once proved.",
    "revert": "Remove what `apply` inserted, to the byte.",
    "branch": "Make a pull request's branch, commits and text.",
    "survey": "Write a list of all models, with what is known about each.",
    "spec": "Derive the InputSpec from the batches that are fed.",
    "parity": "Train dynamically and statically, and compare.",
    "probe": "Train many models for two steps, dynamic and static.",
    "reduce": "Cut what fails in static mode down to a short program.",
    "env": "Make the environment that a kit trains in, or describe it.",
    "report": "Write one page with all parity results.",
    "evidence": "Add to, list and check the base of what was measured.",
    "explain": "Say what an id means: a hazard, a finding, a fix, a verdict.",
    "doctor": "Say what this machine has and lacks.",
    "schema": "Print the JSON Schema of what a command prints with --json.",
    "rules": "List, show, test or draft rules.",
}
INTERRUPTED = 130
# A fault of ours is none of the findings: `EX_SOFTWARE`, as other programs have it.
BUG = 70
BROKEN_PIPE = 141
# Columns of a help page on a wide terminal.
_WIDEST = 100
_AGAIN = "Remove the cause, then run the same command again."
_COMPLETION = "_CODEMOD_COMPLETE"


class LazyGroup(click.Group):
    """A group that knows its commands' names and help lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"codemod.cli.commands.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, or the nearest one in the error."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            remedy = did_you_mean(args[0], COMMANDS, "See `codemod --help`.")
            raise UsageError(f"`{args[0]}` is not a command of codemod.", remedy)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table into `--help`."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"paddle-codemod {version()}")
        context.exit()


@click.group(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": _WIDEST,
        "show_default": True,
    },
    epilog="With --quiet (-q) any command prints results and errors alone, and one that changes "
    "something prints nothing where all is well. Exit codes: 0 done or nothing to do, 1 a "
    "finding, 2 wrong usage or bad input, 3 something is missing in the environment, 70 a bug "
    "in codemod, 130 interrupted, 141 nobody reads the output any more, 143 terminated.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Bring dynamic-to-static training (paddle.jit.to_static) to PaddlePaddle kits.

    TARGET is a kit's name, such as PaddleSeg, or a folder.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    make_sayable()
    if sys.stdout is None:
        # Closed by whoever started us: click would write to nothing, and say that all is well.
        note("Error: Standard output is closed, so no result can be given.")
        os._exit(EnvironmentFault.exit_code)
    code = run(words)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = _broken_pipe()
    except OSError as error:
        _silence(sys.stdout)
        if code != EnvironmentFault.exit_code:  # else it was told already
            code = _tell([], _failed_call(error))
    # The collector's last round would walk all that a command still holds: the syntax trees of a
    # large kit for as long as they took to be planned.
    gc.freeze()
    sys.exit(code)


def run(words: list[str]) -> int:
    """Run one command line; returns the exit code."""
    if instruction := os.environ.get(_COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "codemod", _COMPLETION, instruction)
    words, quiet = split(words)
    try:
        # Not `cli.main`: it turns a reader that went away into exit code 1, a finding.
        with (
            cli.make_context(
                "codemod", words, color=colours(), terminal_width=help_width(_WIDEST)
            ) as context,
            hushed(words, quiet) as hush,
        ):
            result = cli.invoke(context)
        if result:
            click.echo(hush.held, nl=False)
            click.echo(hush.errors, nl=False, err=True)
    except click.exceptions.Exit as end:
        return end.exit_code
    except CodemodError as error:
        return _tell(words, error)
    except click.ClickException as error:
        error.show()
        fault = UsageError(error.format_message(), "See --help.")
        fault.exit_code = error.exit_code
        _tell_machine(words, fault)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort) as stop:
        note(
            str(stop) or "Interrupted; nothing is half written, and the same command starts again."
        )
        return INTERRUPTED
    except BrokenPipeError:
        return _broken_pipe()
    except (OSError, MemoryError) as error:
        return _tell(words, _failed_call(error))
    except Exception as error:
        if os.environ.get("CODEMOD_DEBUG") == "1":
            raise
        if isinstance(error, ImportError) and isinstance(error.__cause__, OSError):
            # A library that was refused a call while it was loaded (GitPython looks for git then).
            return _tell(words, _failed_call(error.__cause__))
        return _tell(words, _unexpected(words, error))
    return result if isinstance(result, int) else 0


def _tell(words: list[str], error: CodemodError) -> int:
    """The error for people on standard error; for machines one object on standard output."""
    with contextlib.suppress(OSError):
        click.echo(f"Error: {one_line(str(error))}", err=True)
    _tell_machine(words, error)
    return error.exit_code


def _tell_machine(words: list[str], error: CodemodError) -> None:
    """Where `--json` was asked for, an error is an object, too."""
    if "--json" in words:
        from codemod.cli.output import print_object

        with contextlib.suppress(OSError):
            print_object(error.to_json())


def _failed_call(error: OSError | MemoryError) -> EnvironmentFault:
    """What the system refused, in a sentence: no fault of the tool, and no finding."""
    if isinstance(error, MemoryError):
        return EnvironmentFault("Memory ran out.", "Free some, or take the kits one by one.")
    why = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return EnvironmentFault(f"The system refused a call ({why}).", _AGAIN)
    named = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
    return EnvironmentFault(f"{named} cannot be read or written ({why}).", _AGAIN)


def _unexpected(words: list[str], error: Exception) -> CodemodError:
    """A fault of ours: the traceback goes into a log, the user gets a sentence."""
    import traceback

    from codemod.base.files.shared_file import replace_file
    from codemod.cli.options import workspace_of

    what = f"{type(error).__name__}: {error}".splitlines()[0]
    try:
        log = workspace_of(words).make("logs") / f"error-{os.getpid()}.log"
        text = f"codemod {version()}\n{words}\n{traceback.format_exc()}"
        replace_file(log, text.encode("utf-8", "backslashreplace"))
        where = f"The traceback is in {log}."
    except (OSError, CodemodError):
        where = "Run it again with CODEMOD_DEBUG=1 to see the traceback."
    fault = CodemodError(f"This is a bug in codemod ({what}).", where)
    fault.exit_code = BUG
    return fault


def _broken_pipe() -> int:
    """The reader went away (`codemod diff | head`): nothing to say, and nobody to say it to."""
    _silence(sys.stdout)
    return BROKEN_PIPE


def _silence(stream: TextIO) -> None:
    """Let nothing more be written to a stream, also not when Python ends."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
