# ruff: noqa: E501 - what runners print is as wide as they print it
"""What runners print, and how many tests that means."""

from __future__ import annotations

import pytest

from mmcg.audit.runs.counts import count, runners

OUTPUTS = {
    "pytest": [
        ("===== test session starts =====\ncollected 3 items\n\ntests/test_a.py ...   [100%]\n\n"
         "===== 3 passed in 0.02s =====", (3, 0, 0)),
        ("1 failed, 2 passed, 1 skipped, 4 deselected, 2 warnings in 1.20s", (3, 1, 1)),
        ("== 2 passed, 1 xfailed, 1 xpassed, 1 error in 61.20s (0:01:01) ==", (5, 1, 0)),
        ("collected 4 items / 4 deselected / 0 selected\n\n== 4 deselected in 0.01s ==", (0, 0, 0)),
        ("no tests ran in 0.00s", (0, 0, 0)),
        ("3 skipped in 0.01s", (0, 0, 3)),
    ],
    "unittest": [
        ("...\n" + "-" * 70 + "\nRan 3 tests in 0.001s\n\nOK", (3, 0, 0)),
        ("Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)", (3, 2, 1)),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN", (0, 0, 0)),
        ("Ran 1 test in 0.000s\n\nOK (skipped=1)", (0, 0, 1)),
    ],
    "cargo test": [
        ("running 2 tests\ntest a ... ok\ntest b ... ignored\n\n"
         "test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
         "   Doc-tests x\n\nrunning 0 tests\n\n"
         "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s", (1, 0, 1)),
        ("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.01s", (3, 2, 0)),
        ("test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.00s", (0, 0, 0)),
    ],
    "nextest": [
        ("     Summary [   0.010s] 3 tests run: 3 passed, 1 skipped", (3, 0, 1)),
        ("     Summary [   1.010s] 4/9 tests run: 3 passed, 1 failed, 2 skipped", (4, 1, 2)),
        ("    Starting 0 tests across 1 binary (5 tests skipped)\nerror: no tests to run", (0, 0, 0)),
    ],
    "go test": [
        ("ok  \texample.org/a\t0.012s\n?   \texample.org/b\t[no test files]", (None, 0, 0)),
        ("ok  \texample.org/a\t(cached)", (None, 0, 0)),
        ("testing: warning: no tests to run\nPASS\nok  \texample.org/a\t0.010s [no tests to run]", (0, 0, 0)),
        ("?   \texample.org/b\t[no test files]", (0, 0, 0)),
        ("=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    --- FAIL: TestB/x (0.00s)\n--- FAIL: TestB (0.00s)\n"
         "--- SKIP: TestC (0.00s)\nFAIL\nFAIL\texample.org/a\t0.010s", (3, 2, 1)),
        ('{"Time":"x","Action":"run","Package":"a","Test":"TestA"}\n'
         '{"Time":"x","Action":"pass","Package":"a","Test":"TestA","Elapsed":0}\n'
         '{"Time":"x","Action":"skip","Package":"a","Test":"TestB","Elapsed":0}\n'
         '{"Time":"x","Action":"pass","Package":"a","Elapsed":0.1}', (1, 0, 1)),
    ],
    "jest": [
        ("Test Suites: 1 passed, 1 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total\nSnapshots:   0 total\n"
         "Time:        1.2 s", (4, 1, 2)),
        ("Tests:       3 passed, 3 total", (3, 0, 0)),
        ("No tests found, exiting with code 0", (0, 0, 0)),
        ("Tests:       4 skipped, 4 total", (0, 0, 4)),
    ],
    "vitest": [
        (" Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Start at  10:00:00", (3, 0, 0)),
        ("      Tests  1 failed | 2 passed | 1 skipped (4)", (3, 1, 1)),
        ("No test files found, exiting with code 0", (0, 0, 0)),
        ("      Tests  no tests", (0, 0, 0)),
    ],
    "mocha": [
        ("  Cache\n    \u2714 puts\n\n  3 passing (10ms)\n  1 pending\n  1 failing\n", (4, 1, 1)),
        ("\n  0 passing (1ms)\n", (0, 0, 0)),
    ],
    "node --test": [
        ("TAP version 13\n1..1\n# tests 3\n# suites 1\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0", (3, 1, 0)),
        ("\u2139 tests 1\n\u2139 suites 0\n\u2139 pass 1\n\u2139 fail 0\n\u2139 cancelled 0\n\u2139 skipped 0\n\u2139 todo 0",
         (1, 0, 0)),
        ("# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0", (0, 0, 0)),
    ],
    "junit": [
        ("[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s -- in a.ATest\n[INFO] Results:\n[INFO]\n"
         "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS", (2, 0, 1)),
        ("[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0", (3, 2, 0)),
        ("OK (3 tests)\n", (3, 0, 0)),
        ("Tests run: 3,  Failures: 1\n", (3, 1, 0)),
        ("[         3 tests found           ]\n[         1 tests skipped         ]\n[         2 tests successful      ]\n"
         "[         0 tests failed          ]", (2, 0, 1)),
        ("[INFO] No tests to run.\n[INFO] BUILD SUCCESS", (0, 0, 0)),
    ],
    "gradle": [
        ("> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s", (0, 0, 0)),
        ("> Task :compileTestJava\n> Task :test\n\nBUILD SUCCESSFUL in 1s", (None, 0, 0)),
        ("> Task :test\n\nATest > adds() PASSED\n\nATest > drops() FAILED\n    java.lang.AssertionError\n\n"
         "3 tests completed, 1 failed, 1 skipped", (2, 1, 1)),
        ("> Task :test\n\nATest > adds() PASSED\nATest > odd() SKIPPED\n", (1, 0, 1)),
    ],
    "phpunit": [
        ("PHPUnit 10.5.0\n\n...   3 / 3 (100%)\n\nOK (3 tests, 5 assertions)", (3, 0, 0)),
        ("FAILURES!\nTests: 4, Assertions: 5, Failures: 1, Errors: 1, Skipped: 1.", (3, 2, 1)),
        ("OK, but there were issues!\nTests: 1, Assertions: 0, Risky: 1.", (1, 0, 0)),
        ("No tests executed!", (0, 0, 0)),
        ("  Tests:    1 failed, 3 passed (5 assertions)\n  Duration: 0.1s", (4, 1, 0)),
    ],
    "ctest": [
        ("100% tests passed, 0 tests failed out of 3\n\nTotal Test time (real) =   0.01 sec", (3, 0, 0)),
        ("67% tests passed, 1 tests failed out of 3", (3, 1, 0)),
        ("No tests were found!!!", (0, 0, 0)),
    ],
    "googletest": [
        ("[==========] Running 3 tests from 1 test suite.\n[==========] 3 tests from 1 test suite ran. (0 ms total)\n"
         "[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.B", (3, 1, 0)),
        ("[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.", (0, 0, 0)),
        ("[==========] 2 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n[  SKIPPED ] 1 test, listed below:",
         (1, 0, 1)),
    ],
    "catch2": [
        ("All tests passed (5 assertions in 3 test cases)", (3, 0, 0)),
        ("test cases: 3 | 2 passed | 1 failed\nassertions: 5 | 4 passed | 1 failed", (3, 1, 0)),
        ("[doctest] test cases: 3 | 3 passed | 0 failed | 0 skipped\n[doctest] assertions: 5 | 5 passed | 0 failed |",
         (3, 0, 0)),
        ("No test cases matched 'x'\nNo tests ran", (0, 0, 0)),
    ],
    "dotnet test": [
        ("Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 10 ms - A.dll (net8.0)", (3, 0, 1)),
        ("Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 10 ms - A.dll", (3, 1, 0)),
        ("Total tests: 3\n     Passed: 2\n     Failed: 1\n Total time: 1 Seconds", (3, 1, 0)),
        ("No test matches the given testcase filter `x` in A.dll", (0, 0, 0)),
    ],
}  # fmt: skip

ROWS = [(runner, output, expected) for runner, rows in OUTPUTS.items() for output, expected in rows]


@pytest.mark.parametrize(("runner", "output", "expected"), ROWS)
def test_a_runner_is_told_by_its_output_and_its_tests_are_counted(runner, output, expected):
    found = count(output)
    assert found is not None
    assert found.runners == (runner,)
    assert (found.run, found.failed, found.skipped) == expected


def test_every_runner_has_a_specimen():
    assert len(runners()) == len(set(OUTPUTS)) - 1, "Catch2 is counted beside GoogleTest"


@pytest.mark.parametrize(
    "output",
    [
        "",
        "checked 12 files\nall good",
        "Build succeeded.\n    0 Warning(s)",
        "ok: 3 passed the gate",
        "The tests passed.",
        "Compiling x v0.1.0\nFinished dev in 1.0s",
    ],
)
def test_other_output_says_nothing_about_tests(output):
    assert count(output) is None


def test_what_several_runners_print_is_added_up():
    found = count("2 passed in 0.01s\n\n  3 passing (10ms)\n")
    assert found is not None
    assert (found.run, set(found.runners)) == (5, {"pytest", "mocha"})


def test_a_number_that_is_not_told_stays_unknown():
    found = count("ok  \ta\t0.1s\n2 passed in 0.01s")
    assert found is not None
    assert found.run is None
