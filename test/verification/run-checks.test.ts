import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { movableClock } from "../containment/movable-clock.ts";
import type { CheckNotice } from "../../src/verification/run-checks.ts";
import { check, checkOne, criterion, makeCheckout } from "./check-for-test.ts";

describe("a file check", () => {
  it.each([
    ["docs/x.md", "passed", null, "docs/x.md exists, 5 bytes."],
    ["./docs//x.md", "passed", null, "./docs//x.md exists, 5 bytes."],
    ["docs/none.md", "failed", "FILE_NOT_FOUND", "docs/none.md does not exist."],
    ["docs/x.md/y", "failed", "FILE_NOT_FOUND", "docs/x.md/y does not exist."],
    ["docs/empty.md", "failed", "ARTIFACT_EMPTY", "docs/empty.md is empty."],
    ["docs", "failed", "CHECK_FAILED", "docs is not a regular file."],
    [".", "failed", "FILE_NOT_FOUND", ". does not name a file."],
    [
      "link.md",
      "failed",
      "ARTIFACT_PATH_ESCAPES",
      "link.md is reached through a symbolic link; only a regular file counts.",
    ],
    [
      "up/passwd",
      "failed",
      "ARTIFACT_PATH_ESCAPES",
      "up/passwd is reached through a symbolic link; only a regular file counts.",
    ],
    ["/etc/passwd", "failed", "ARTIFACT_PATH_ABSOLUTE", "/etc/passwd is not relative to the project."],
    [
      "../candidate/docs/x.md",
      "failed",
      "ARTIFACT_PATH_ESCAPES",
      "../candidate/docs/x.md leads out of the project.",
    ],
  ])("of %j is %s", async (file, verdict, code, evidence) => {
    const checkout = makeCheckout();
    mkdirSync(join(checkout.folder, "docs"));
    writeFileSync(join(checkout.folder, "docs/x.md"), "# hi\n");
    writeFileSync(join(checkout.folder, "docs/empty.md"), "");
    symlinkSync("docs/x.md", join(checkout.folder, "link.md"));
    symlinkSync("/etc", join(checkout.folder, "up"));
    const [result] = await check(checkout, [criterion({ file })]);
    expect(result).toMatchObject({ verdict, code, evidence });
    const bytes = verdict === "passed" ? 5 : code === "ARTIFACT_EMPTY" ? 0 : null;
    expect(result?.proof).toStrictEqual({ kind: "file", path: file, bytes });
  });

  it("fails for an impossible file name", async () => {
    const [result] = await check(makeCheckout(), [criterion({ file: "a\0b" })]);
    expect(result).toMatchObject({ verdict: "failed", code: "CHECK_FAILED" });
  });
});

describe("a change check", () => {
  const changedFiles = ["src/a.ts", "src/b/c.ts", "docs/x.md"];

  it.each([
    ["src/**", "passed", 2, "2 changed files match src/**: src/a.ts, src/b/c.ts"],
    ["docs", "passed", 1, "1 changed file matches docs: docs/x.md"],
    ["test/**", "failed", 0, "None of 3 changed files matches test/**."],
    ["src/*.md", "failed", 0, "None of 3 changed files matches src/*.md."],
  ])("of %j is %s", async (changed, verdict, matches, evidence) => {
    const [result] = await check(makeCheckout(), [criterion({ changed })], { changedFiles });
    expect(result).toMatchObject({
      verdict,
      evidence,
      code: verdict === "passed" ? null : "CHECK_FAILED",
      proof: { kind: "changed", pattern: changed, matches },
    });
  });

  it("names five of many changed files", async () => {
    const many = Array.from({ length: 9 }, (_, at) => `src/${at}.ts`);
    const [result] = await check(makeCheckout(), [criterion({ changed: "src/**" })], { changedFiles: many });
    expect(result?.evidence).toBe(
      "9 changed files match src/**: src/0.ts, src/1.ts, src/2.ts, src/3.ts, src/4.ts, …",
    );
  });
});

describe("the checks of one candidate", () => {
  it("all run, even after a failure, and are answered in the order of the criteria", async () => {
    const results = await check(makeCheckout(), [
      criterion({ command: "exit 1" }, "c1"),
      criterion({ manual: true }, "c2"),
      criterion({ command: "true" }, "c3"),
      criterion({ file: "none" }, "c4"),
      criterion({ changed: "**" }, "c5"),
    ]);
    expect(results.map((result) => [result.criterion.id, result.verdict])).toStrictEqual([
      ["c1", "failed"],
      ["c3", "passed"],
      ["c4", "failed"],
      ["c5", "failed"],
    ]);
  });

  it("look at files before a command can write them", async () => {
    const results = await check(makeCheckout(), [
      criterion({ command: "echo made > late.md" }, "c1"),
      criterion({ file: "late.md" }, "c2"),
      criterion({ command: "test -s late.md" }, "c3"),
    ]);
    expect(results.map(({ verdict }) => verdict)).toStrictEqual(["passed", "failed", "passed"]);
  });

  it("run the same command once for all criteria that share it", async () => {
    const checkout = makeCheckout();
    const results = await check(checkout, [
      criterion({ command: "echo x >> count" }, "c1"),
      criterion({ command: " echo x >> count " }, "c2"),
      criterion({ command: "test $(wc -l < count) = 1" }, "c3"),
    ]);
    expect(results.map((result) => [result.criterion.id, result.verdict])).toStrictEqual([
      ["c1", "passed"],
      ["c2", "passed"],
      ["c3", "passed"],
    ]);
    expect(readdirSync(checkout.logs)).toHaveLength(2);
  });

  it("stop at the common deadline; a check that was cut short or never started is unverified", async () => {
    const criteria = [
      criterion({ command: "sleep 1000" }, "c1"),
      criterion({ command: "touch never" }, "c2"),
      criterion({ file: "x" }, "c3"),
    ];
    const checkout = makeCheckout();
    const results = await check(checkout, criteria, { timeoutMs: 300 });
    expect(results.map(({ verdict, code }) => [verdict, code])).toStrictEqual([
      ["unverified", "TIMEOUT"],
      ["unverified", "TIMEOUT"],
      ["failed", "FILE_NOT_FOUND"],
    ]);
    expect(results[0]?.evidence).toMatch(/was stopped after \d\.\d s: the time for all checks was used up\./);
    expect(results[1]?.evidence).toBe("Not run: the 0 s for all checks were used up before this one.");
    expect(existsSync(join(checkout.folder, "never"))).toBe(false);
  });

  it("share one time limit from the start, by a clock that does not jump", async () => {
    const clock = movableClock();
    const onRun = (): void => clock.moveOn(25_000);
    const criteria = ["true", "true;", "true;:"].map((command, at) => criterion({ command }, `c${at}`));
    const results = await check(makeCheckout(), criteria, { clock, onRun, timeoutMs: 90_000 });
    expect(results.map(({ verdict }) => verdict)).toStrictEqual(["passed", "passed", "unverified"]);
  });

  it("have no result for criteria without a check", async () => {
    const { check: _, ...bare } = criterion({ manual: true });
    expect(await check(makeCheckout(), [bare, criterion({ manual: true })])).toStrictEqual([]);
  });

  it("do not start once they were stopped", async () => {
    const checkout = makeCheckout();
    const results = await check(checkout, [criterion({ command: "touch never" }), criterion({ file: "x" })], {
      signal: AbortSignal.abort(),
    });
    expect(results.map(({ code }) => code)).toStrictEqual(["CHECK_STOPPED", "CHECK_STOPPED"]);
    expect(existsSync(join(checkout.folder, "never"))).toBe(false);
  });
});

describe("a check that is watched", () => {
  it("says when each command begins and ends, and which criteria it proves", async () => {
    const told: CheckNotice[] = [];
    const criteria = [
      criterion({ command: "exit 1" }, "c1"),
      criterion({ file: "x" }, "c2"),
      criterion({ command: "exit 1" }, "c3"),
    ];
    await check(makeCheckout(), criteria, { onCheck: (notice) => void told.push(notice) });
    expect(told).toMatchObject([
      { kind: "started", command: "exit 1", criteria: ["c1", "c3"], log: expect.stringContaining("stdout") },
      { kind: "ended", command: "exit 1", criteria: ["c1", "c3"], finding: { verdict: "failed" } },
    ]);
  });

  it("has its own time limit where its criterion has one", async () => {
    const criteria = [criterion({ command: "sleep 30", timeoutSeconds: 1 })];
    const [result] = await check(makeCheckout(), criteria);
    expect(result).toMatchObject({ verdict: "failed", code: "TIMEOUT" });
  });
});

describe("the shell of a check", () => {
  it.each([
    ["/bin/bash", "bash"],
    ["/usr/bin/fish", "sh"],
    ["bash", "sh"],
    ["/no/such/bash", "sh"],
  ])("with SHELL=%s is %s", async (SHELL, expected) => {
    const environment = { PATH: "/usr/bin:/bin", SHELL };
    const { verdict } = await checkOne(
      makeCheckout(),
      expected === "bash" ? '[ -n "$BASH_VERSION" ] && source /dev/null' : '[ "$0" = /bin/sh ]',
      { environment },
    );
    expect(verdict).toBe("passed");
  });
});
