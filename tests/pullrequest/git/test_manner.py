from __future__ import annotations

from codemod.reports.pullrequest.git.manner import SubjectStyle, manner_of, message


def test_tags_are_taken_over_where_a_third_of_the_commits_has_one() -> None:
    tagged = ["[Fix] repair it", "[Doc] explain it", "Change it"]
    assert manner_of(tagged) == SubjectStyle("[Dy2St] ", capital=False)
    assert manner_of(["[Fix]Repair it", "[Doc]Explain", "Go"]).tag == "[Dy2St]"
    assert manner_of(["[Fix] repair", *["go on"] * 9]).tag == ""


def test_the_first_letter_follows_the_kit() -> None:
    text = "Support dynamic-to-static training"
    assert manner_of(["fix a", "add b", "Update"]).subject(text)[0] == "s"
    assert manner_of(["Fix a", "Add b", "update"]).subject(text) == text
    assert manner_of(["【bug】修复", "修复"]).subject(text) == text
    assert manner_of([]).subject(text) == text


def test_the_first_subject_that_fits_is_taken() -> None:
    tagged = SubjectStyle("[Dy2St] ", capital=False)
    assert tagged.fitting(["A" * 64, "B"]) == "[Dy2St] a" + "A" * 63
    assert tagged.fitting(["A" * 65, "B"]) == "[Dy2St] b"
    assert tagged.fitting(["A" * 65, "B" * 65]).startswith("[Dy2St] b")


def test_a_message_is_folded_and_ends_with_its_trailers() -> None:
    long = "word " * 40
    text = message("Subject", [long, "    --to_static " + "x" * 90], ["Signed-off-by: A <a@b>"])
    lines = text.splitlines()
    assert lines[0] == "Subject" and lines[1] == "" and lines[-1] == "Signed-off-by: A <a@b>"
    assert all(len(line) <= 72 for line in lines if not line.startswith("    "))
    assert "    --to_static " + "x" * 90 in lines


def test_a_long_path_stands_beside_its_mark_in_a_commit_message() -> None:
    path = "applications/neural_search/ranking/ernie_matching/deep/train_pairwise.py"
    lines = message("Subject", [f"- {path}: The hook stands here."]).splitlines()
    assert lines[2:] == [f"- {path}:", "  The hook stands here."]
