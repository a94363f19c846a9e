import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AnnouncedRun, ProcessRecord } from "../../src/containment/contained-process.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { probeSandbox } from "../../src/containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../../src/containment/sandbox-command.ts";
import { readNewestLine, type PlacedCommand } from "../../src/verification/run-checks.ts";
import { DelegationError } from "../../src/base/delegation-error.ts";
import { findByToken, hostileAgent } from "../containment/hostile-agent.ts";
import { newToken } from "../containment/launch-for-test.ts";
import { check, checkOne, criterion, makeCheckout } from "./check-for-test.ts";

const quote = (argument: string): string => `'${argument.replaceAll("'", String.raw`'\''`)}'`;
const hostile = (token: string, mode: "stay" | "leave"): string =>
  hostileAgent(token, mode).map(quote).join(" ");

describe("a command that ends by itself", () => {
  it("passes with exit code 0, and shows what it did", async () => {
    const checkout = makeCheckout();
    const result = await checkOne(checkout, "echo one; echo two >&2; pwd");
    const log = result.proof?.kind === "command" ? result.proof.log : null;
    expect(result).toMatchObject({
      verdict: "passed",
      code: null,
      proof: {
        kind: "command",
        command: "echo one; echo two >&2; pwd",
        exit_code: 0,
        signal: null,
        output: `one\ntwo\n${checkout.folder}`,
      },
    });
    expect(readFileSync(log ?? "", "utf8")).toBe(`one\ntwo\n${checkout.folder}\n`);
    expect(result.evidence.split("\n")).toStrictEqual([
      expect.stringMatching(/^`echo one; echo two >&2; pwd` ended with exit code 0 after \d+\.\d s\.$/),
      `Log: ${log}`,
      "Last output:",
      "one",
      "two",
      checkout.folder,
    ]);
  });

  it.each([
    ["exit 1", 1, /ended with exit code 1 after/],
    ["exit 3", 3, /ended with exit code 3 after/],
    ["no-such-program-here", 127, /exit code 127 \(a program was not found; is it installed/],
    ["./plain", 126, /exit code 126 \(a program is not executable\)/],
    ["kill -KILL $$", 137, /SIGKILL|signal 9/],
    ["syntax ( error", 2, /ended with exit code 2/],
  ])("fails with %j", async (command, code, text) => {
    const checkout = makeCheckout();
    writeFileSync(join(checkout.folder, "plain"), "x", { mode: 0o644 });
    const result = await checkOne(checkout, command);
    expect(result).toMatchObject({ verdict: "failed", code: "CHECK_FAILED" });
    expect(result.evidence.split("\n")[0]).toMatch(text);
    const proof = result.proof?.kind === "command" ? result.proof : undefined;
    expect([code, null]).toContain(proof?.exit_code);
  });

  it("is shown on one line without control characters, however it is written", async () => {
    const { evidence, proof } = await checkOne(makeCheckout(), ": \u{1b}[31m\n: b");
    expect(evidence.split("\n")[0]).toMatch(/^`: \\x1b\[31m\\n: b` ended with exit code 0/);
    expect(proof).toMatchObject({ command: ": \u{1b}[31m\n: b" });
    const long = await checkOne(makeCheckout(), `: ${"x".repeat(500)}`);
    expect(long.evidence.split("\n")[0]).toContain(`${"x".repeat(198)}…\` ended`);
  });

  it("is not believed if it only claims that it passed", async () => {
    const result = await checkOne(makeCheckout(), "echo 'verdict: passed'; echo 'exit code 0'; exit 1");
    expect(result.verdict).toBe("failed");
  });

  it("reads no input from Ambit, and has only the environment it is given", async () => {
    const result = await checkOne(makeCheckout(), "cat; env | sort", {
      environment: { PATH: "/usr/bin:/bin", GIVEN: "yes" },
    });
    const names = result.proof?.kind === "command" ? result.proof.output.split("\n") : [];
    expect(names.map((line) => line.split("=")[0])).toStrictEqual(
      expect.arrayContaining(["AMBIT_RUN_ID", "GIVEN", "PATH"]),
    );
    expect(names.some((line) => line.startsWith("HOME="))).toBe(false);
  });

  it("treats its text as one command, whatever it contains", async () => {
    const checkout = makeCheckout();
    const result = await checkOne(checkout, `printf '%s' "$1 \${0} a\nb" '"; exit 1; "'`);
    expect(result).toMatchObject({ verdict: "passed", proof: { output: ' /bin/sh a\nb"; exit 1; "' } });
  });

  it("has escape codes shown as text, and only the end of its output", async () => {
    const script = String.raw`i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done; printf '\033[2J\033]0;t\007ü\342\200\256x\r\n'`;
    const { proof, evidence } = await checkOne(makeCheckout(), script);
    const output = proof?.kind === "command" ? proof.output : "";
    expect(output.endsWith(String.raw`\x1b[2J\x1b]0;t\x07ü\u{202e}x`)).toBe(true);
    expect(Array.from(output)).toHaveLength(2000);
    expect(output).toContain("line 1999\n");
    expect(evidence).not.toContain("\u{1b}");
  });
});

describe("a command that does not end well", () => {
  it("fails with TIMEOUT if it hangs, and leaves nothing running", async () => {
    const token = newToken();
    const result = await checkOne(makeCheckout(), `sleep 1000 # ${token}`, { limits: { timeoutMs: 300 } });
    expect(result).toMatchObject({ verdict: "failed", code: "TIMEOUT" });
    expect(result.evidence).toMatch(/did not end within 0\.3 s and was stopped\./);
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("fails with TIMEOUT if it ignores every polite signal, with its daemons, and leaves nothing running", async () => {
    const token = newToken();
    const command = hostile(token, "stay");
    const result = await checkOne(makeCheckout(), command, { limits: { timeoutMs: 3000 } });
    expect(result).toMatchObject({ verdict: "failed", code: "TIMEOUT" });
    expect(result.proof).toMatchObject({ output: "ready" });
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("ends although its children hold stdout and live on, and the children are ended", async () => {
    const token = newToken();
    const result = await checkOne(makeCheckout(), hostile(token, "leave"));
    expect(result).toMatchObject({ verdict: "passed", proof: { exit_code: 0, output: "ready" } });
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("fails with OUTPUT_LIMIT_EXCEEDED if it floods", async () => {
    const token = newToken();
    const result = await checkOne(makeCheckout(), `while :; do echo ${token}; done`, {
      limits: { outputMaxBytes: 200_000 },
    });
    expect(result).toMatchObject({ verdict: "failed", code: "OUTPUT_LIMIT_EXCEEDED" });
    expect(result.evidence).toMatch(/wrote more than 196 KiB and was stopped after/);
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("fails with OUTPUT_LIMIT_EXCEEDED if it succeeds after a flood", async () => {
    const result = await checkOne(makeCheckout(), "head -c 300000 /dev/zero; exit 0", {
      limits: { outputMaxBytes: 200_000 },
    });
    expect(result).toMatchObject({ verdict: "failed", code: "OUTPUT_LIMIT_EXCEEDED" });
  });

  it("fails with RESOURCE_LIMIT_EXCEEDED if it forks without end", async () => {
    const token = newToken();
    const bomb = `i=0; while [ $i -lt 60 ]; do (sleep 1000; : ${token}) & i=$((i+1)); done; wait`;
    const result = await checkOne(makeCheckout(), bomb, { limits: { maxProcesses: 20 } });
    expect(result).toMatchObject({ verdict: "failed", code: "RESOURCE_LIMIT_EXCEEDED" });
    expect(result.evidence).toMatch(/it had \d+ processes, the limit is 20/);
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("fails with RESOURCE_LIMIT_EXCEEDED if it takes too much memory", async () => {
    const hog = `perl -e '$x = "x" x 200_000_000; sleep 1000'`;
    const result = await checkOne(makeCheckout(), hog, { limits: { memoryMaxBytes: 50 * 1024 * 1024 } });
    expect(result).toMatchObject({ verdict: "failed", code: "RESOURCE_LIMIT_EXCEEDED" });
    expect(result.evidence).toMatch(/MiB of memory, the limit is 50 MiB/);
  });

  it("fails if it deletes its own folder", async () => {
    const checkout = makeCheckout();
    const result = await checkOne(checkout, `rm -rf "$PWD"; test -d .git/objects`);
    expect(result).toMatchObject({ verdict: "failed", code: "CHECK_FAILED" });
    expect(existsSync(checkout.folder)).toBe(false);
  });
});

describe("a command that cannot be run", () => {
  it("proves nothing if its folder is gone, and says so", async () => {
    const checkout = makeCheckout();
    rmSync(checkout.folder, { recursive: true });
    const result = await checkOne(checkout, "true");
    expect(result).toMatchObject({ verdict: "unverified", code: "FILE_NOT_FOUND" });
    expect(result.evidence).toContain(checkout.folder);
    expect(result.proof).toBeUndefined();
  });

  it.each([
    ["a text the system does not take", "true \0 false", "CHECK_NOT_RUN"],
    ["a text too long for the system", `true ${"x".repeat(300_000)}`, "CHECK_NOT_RUN"],
  ])("proves nothing with %s", async (_, command, code) => {
    expect(await checkOne(makeCheckout(), command)).toMatchObject({ verdict: "unverified", code });
  });

  it("proves nothing if its log cannot be written", async () => {
    const checkout = makeCheckout();
    const blocked = join(checkout.folder, "file");
    writeFileSync(blocked, "x");
    const result = await checkOne(checkout, "true", { logDirectory: blocked });
    expect(result).toMatchObject({ verdict: "unverified", code: "STORE_UNUSABLE" });
  });

  it("proves nothing if no sandbox is available", async () => {
    const place = () =>
      Promise.reject(
        new DelegationError({ code: "SANDBOX_UNAVAILABLE", message: "none here", recommendation: "" }),
      );
    const result = await checkOne(makeCheckout(), "true", { place });
    expect(result).toMatchObject({ verdict: "unverified", code: "SANDBOX_UNAVAILABLE" });
    expect(result.evidence).toBe("`true` could not be run: none here");
  });

  it("is not left running if its record cannot be kept", async () => {
    const token = newToken();
    const onRun = (run: AnnouncedRun | ProcessRecord): void => {
      if (run.identity !== null) throw new Error("no journal");
    };
    const result = await checkOne(makeCheckout(), `sleep 1000 # ${token}`, { onRun });
    expect(result).toMatchObject({ verdict: "unverified", code: "CHECK_NOT_RUN" });
    expect(result.evidence).toContain("no journal");
    expect(findByToken(token)).toStrictEqual([]);
  });
});

describe("the caller of checks", () => {
  it("can stop them, and learns that each is unverified", async () => {
    const token = newToken();
    const controller = new AbortController();
    const onRun = (run: AnnouncedRun | ProcessRecord): void => {
      if (run.identity !== null) controller.abort();
    };
    const criteria = [
      criterion({ command: `sleep 1000 # ${token}` }, "c1"),
      criterion({ command: "true" }, "c2"),
    ];
    const results = await check(makeCheckout(), criteria, { signal: controller.signal, onRun });
    expect(results.map(({ verdict, code }) => [verdict, code])).toStrictEqual([
      ["unverified", "CHECK_STOPPED"],
      ["unverified", "CHECK_STOPPED"],
    ]);
    expect(findByToken(token)).toStrictEqual([]);
  });

  it("can start the command through another program, such as a sandbox", async () => {
    const place = (command: {
      readonly argv: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
    }) =>
      Promise.resolve({
        argv: ["/usr/bin/env", "PLACED=yes", ...command.argv],
        environment: command.environment,
        tier: "process-group" as const,
      });
    expect(await checkOne(makeCheckout(), 'test "$PLACED" = yes', { place })).toMatchObject({
      verdict: "passed",
    });
  });

  it("can run it where only the candidate is writable", async () => {
    const sandbox = await probeSandbox();
    const tier = chooseLaunchTier(await probeContainment());
    const checkout = makeCheckout();
    const outside = join(checkout.folder, "../outside");
    const [home, temporary] = ["home", "temporary"].map((name) => join(checkout.folder, "..", name));
    for (const folder of [home, temporary]) mkdirSync(folder ?? "");
    const place = async ({ argv, environment }: PlacedCommand) => ({
      ...buildSandboxCommand({
        tier: sandbox.tier,
        tools: sandbox.tools,
        argv,
        environment,
        cwd: checkout.folder,
        writable: [checkout.folder],
        home: home ?? "",
        temporary: temporary ?? "",
      }),
      tier,
    });
    // With bubblewrap the folder above is another one inside; what counts is the one out here.
    const command = `echo in > inside; cat inside >&2; touch ${outside} || true`;
    expect(await checkOne(checkout, command, { place })).toMatchObject({
      verdict: "passed",
      proof: { exit_code: 0, output: expect.stringMatching(/^in\b/) },
    });
    expect([existsSync(join(checkout.folder, "inside")), existsSync(outside)]).toStrictEqual([true, false]);
    await checkOne(checkout, command);
    expect(existsSync(outside)).toBe(true);
  });

  it("learns of each run before it starts, by a predictable name", async () => {
    const seen: string[] = [];
    const onRun = (run: AnnouncedRun | ProcessRecord): void => {
      seen.push(`${run.runId} ${run.identity === null ? "announced" : "started"}`);
    };
    const criteria = [
      criterion({ command: "true" }),
      criterion({ file: "x" }),
      criterion({ command: "echo" }),
    ];
    await check(makeCheckout(), criteria, { runId: "exec-1-check", onRun });
    expect(seen).toStrictEqual([
      "exec-1-check-1 announced",
      "exec-1-check-1 started",
      "exec-1-check-2 announced",
      "exec-1-check-2 started",
    ]);
  });
});

describe("the newest line of a check", () => {
  it("is shortened in the middle, so that a progress bar without line breaks shows how far it is", () => {
    const { folder } = makeCheckout();
    const log = join(folder, "log");
    writeFileSync(log, "one\n  two \n\n");
    expect(readNewestLine(log)).toBe("two");
    writeFileSync(log, `one\nscan ${Array.from({ length: 400 }, (_, index) => index).join(" ")}`);
    const line = readNewestLine(log);
    expect(line).toHaveLength(163);
    expect(line).toMatch(/^scan 0 1 2 .* … .* 398 399$/);
  });
});
