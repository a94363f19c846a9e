import { existsSync } from "node:fs";
import { describe, expect } from "vitest";
import { processesWith } from "../e2e/project.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { delegate, done, shell, together, write } from "./steps.ts";

const settings = `
delegation:
  retry:
    enabled: true
    maxAttempts: 2
  windDown:
    graceSeconds: 0
`;

const passes = (command: string): string => `\`${command}\` exits with code 0`;
/** A story whose manager hands out these tasks and is content with whatever comes back. */
const handsOut = (tasks: readonly object[]) => ({ begin: [delegate(tasks)], results: [done()] });
const commit = (runtime: TestRuntime, path: string, text: string): void => {
  runtime.project.write(path, text);
  runtime.project.git("add", "-A");
  runtime.project.git("commit", "--quiet", "-m", path);
};

describe.concurrent("acceptance", () => {
  it("stops a worker with a false claim; none of its work is merged, and the manager knows why (R81, R123, R196)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("liar", [write("lib.txt", "wrong"), done("All tests pass. I checked twice.")]);
    const accept = [passes("grep -q right lib.txt")];
    const story = await runtime.run("P1", handsOut([{ description: "Get it right", agent: "liar", accept }]));
    expect(story.outcome).toBe("completed");
    expect(await runtime.read("P1-DEL-001")).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.file("refs/heads/ambit/P1", "lib.txt")).toBeUndefined();
    expect(runtime.file("delegation/P1-DEL-001", "lib.txt")).toBe("wrong");
    expect(runtime.prompt("P1", 2)).toMatch(/P1-DEL-001 .* ended partial[^]*CRITERION_FAILED/);
    const [checked] = runtime.told("P1-DEL-001", "criterion-checked");
    expect(checked).toMatchObject({ verdict: "failed", by: "ambit", text: accept[0] });
    expect(existsSync(/Log: (.*)/.exec(checked?.evidence ?? "")?.[1] ?? "")).toBe(true);
  });

  it("happens on the merged tree in a fresh checkout, not in the worker's folder", async ({ open }) => {
    const runtime = await open();
    commit(runtime, ".gitignore", "*.log\n");
    const story = await runtime.run(
      "P2",
      [write("only-here.log", "x"), shell("test -f only-here.log"), done("It is there. I see it.")],
      { criteria: [passes("test -f only-here.log")] },
    );
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.output("P2", 1)).toContain("exit code 0");
  });

  it("is not affected by a worker that writes to files which checkouts share", async ({ open }) => {
    const runtime = await open();
    commit(runtime, "lib.txt", "wrong");
    const state = `${runtime.project.root}/.git/ambit`;
    const sway = `for tree in '${state}'/templates/tree-*; do test ! -d "$tree" || echo right > "$tree/tree/lib.txt"; done`;
    const criteria = [passes("grep -q right lib.txt")];
    const story = await runtime.run("P8", [shell(sway), done("Right. Look at it.")], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    const [checked] = runtime.told("P8", "criterion-checked");
    expect(checked).toMatchObject({ verdict: "failed", by: "ambit" });
  });

  it("runs the commands of the request, in the environment of the project", async ({ open }) => {
    const runtime = await open();
    const criteria = [
      passes("command -v node"),
      { text: "The environment is clean", check: { command: 'test -z "$AMBIT_TOKEN$DELEGATION_DEPTH"' } },
      { text: "It wrote a file", check: { changed: "*.txt" } },
      { text: "The file is there", check: { file: "new.txt" } },
    ];
    const story = await runtime.run("P3", [write("new.txt", "new"), done()], { criteria });
    expect(story).toMatchObject({ outcome: "completed" });
    expect(runtime.told("P3", "delegation-verified")[0]).toMatchObject({ passed: 4, failed: 0 });
  });

  it("is required of every worker, even without a criterion (R79, R177)", async ({ open }) => {
    const runtime = await open("verification:\n  test: test ! -f broken.txt\n");
    runtime.agent("breaker", [write("broken.txt", "x"), done()]);
    runtime.agent("vague", [done()]);
    await runtime.start(
      "P4",
      handsOut([
        { description: "Break it", agent: "breaker" },
        { description: "Be nice", agent: "vague", accept: ["Works correctly", "All tests pass"] },
      ]),
      { criteria: ["Looks good"] },
    );
    expect(await runtime.question()).toMatchObject({
      delegation: "P4-DEL-002",
      details: ["Works correctly"],
    });
    expect(runtime.prompt("P4-DEL-001", 1)).toMatch(
      /## Done when\n- All tests pass \(checked with: test ! -f broken.txt\)\n\n/,
    );
    await runtime.engine.whenEnded("P4-DEL-001");
    expect(await runtime.read("P4-DEL-001")).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.told("P4", "note-added").map(({ text }) => text)).toContainEqual(
      expect.stringContaining("Looks good"),
    );
    expect(runtime.told("P4-DEL-002", "note-added").map(({ text }) => text)).toContainEqual(
      expect.stringContaining("Works correctly"),
    );
  });

  it("ends a hanging check with everything it started, which proves nothing (R201)", async ({ open }) => {
    const runtime = await open(settings);
    runtime.agent("quick", [write("x.txt", "x"), done()]);
    const accept = [passes("sleep 8642")];
    await runtime.run("P5", handsOut([{ description: "Hang", agent: "quick", accept, timeout_seconds: 6 }]));
    expect(await runtime.read("P5-DEL-001")).toMatchObject({
      outcome: "partial",
      code: "CRITERION_UNVERIFIED",
    });
    expect(processesWith("8642")).toBe(0);
  });
});

describe.concurrent("a red criterion", () => {
  it("returns to its worker after a pause if the project allows it, and turns green (R123, R180)", async ({
    open,
  }) => {
    const runtime = await open(settings);
    runtime.agent("learner", {
      begin: [write("lib.txt", "wrong"), done()],
      retry: [shell("cat lib.txt"), write("lib.txt", "right"), done("Right. Now.")],
    });
    const accept = [passes("grep right lib.txt")];
    await runtime.run("P6", handsOut([{ description: "Learn", agent: "learner", accept }]));
    expect(await runtime.read("P6-DEL-001")).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.file("refs/heads/ambit/P6", "lib.txt")).toBe("right");
    expect(runtime.prompt("P6-DEL-001", 2)).toMatch(/not accepted:[^]*grep right lib.txt/);
    expect(runtime.output("P6-DEL-001", 2)).toContain("wrong");
    const [retried] = runtime.told("P6-DEL-001", "attempt-retried");
    expect(retried?.kind).toBe("retry");
    expect(retried?.afterMs).toBeGreaterThanOrEqual(500);
    const of = runtime.events.filter(({ delegation }) => delegation === "P6-DEL-001");
    const at = (type: string): number =>
      Date.parse(of.findLast((event) => event.type === type)?.at ?? "invalid");
    expect(at("attempt-started") - at("attempt-retried")).toBeGreaterThanOrEqual(retried?.afterMs ?? NaN);
  });

  it("stays red after the last attempt: partial, and the branch unmoved", async ({ open }) => {
    const runtime = await open(settings);
    const story = await runtime.run("P7", [write("lib.txt", "wrong"), done()], {
      criteria: [passes("grep -q right lib.txt")],
    });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED", attempt: 2 });
    expect(runtime.ref("refs/heads/ambit/P7")).toBe("");
    expect(runtime.file("delegation/P7", "lib.txt")).toBe("wrong");
  });
});

describe.concurrent("a criterion for people", () => {
  const criteria = ["The wording pleases the editor"];
  const script = [write("text.txt", "words"), done("Written. It pleases everybody.")];

  it("waits for a person, whatever the worker says; approval merges the work, rejection does not", async ({
    open,
  }) => {
    const runtime = await open();
    await runtime.start("P8", script, { criteria });
    const asked = await runtime.question();
    expect(asked).toMatchObject({ delegation: "P8", kind: "criterion", details: criteria });
    expect(await runtime.read("P8")).toMatchObject({ state: "returned" });
    expect(runtime.ref("refs/heads/ambit/P8")).toBe("");
    await runtime.engine.answer(asked.id, { answer: "approved", by: "ann", reason: "It does." });
    expect(await runtime.engine.whenEnded("P8")).toMatchObject({ outcome: "completed" });
    expect(runtime.file("refs/heads/ambit/P8", "text.txt")).toBe("words");
    await runtime.start("P9", script, { criteria });
    const { id } = await runtime.question();
    await runtime.engine.answer(id, { answer: "rejected", by: "ann", reason: "Too long." });
    const rejected = await runtime.engine.whenEnded("P9");
    expect(rejected).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(rejected.summary).toContain("Too long.");
    expect(runtime.ref("refs/heads/ambit/P9")).toBe("");
    await expect(
      runtime.engine.answer(id, { answer: "approved", by: "bob", reason: "" }),
    ).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
  });

  it("is not passed by a reply, and expires without an answer", async ({ open }) => {
    const runtime = await open();
    await runtime.start("P10", script, { criteria, timeoutSeconds: 6 });
    const { id } = await runtime.question();
    await expect(
      runtime.engine.answer(id, { answer: "replied", by: "ann", reason: "It is bad." }),
    ).rejects.toMatchObject({ code: "USAGE" });
    expect(await runtime.engine.whenEnded("P10")).toMatchObject({
      outcome: "partial",
      code: "CRITERION_UNVERIFIED",
    });
    expect(runtime.told("P10", "approval-answered")[0]).toMatchObject({ answer: "expired", by: "ambit" });
    expect(runtime.ref("refs/heads/ambit/P10")).toBe("");
  });
});

describe.concurrent("the checks themselves", () => {
  it("cannot be changed by the worker through project scripts or files outside its scope", async ({
    open,
  }) => {
    const runtime = await open();
    commit(runtime, "package.json", JSON.stringify({ scripts: { test: "sh check.sh" } }));
    commit(runtime, "check.sh", "grep -q right lib.txt\n");
    const accept = [passes("npm test")];
    runtime.agent("cheat", [
      shell(`sed -i 's/sh check.sh/true/' package.json`),
      write("lib.txt", "wrong"),
      done(),
    ]);
    runtime.agent("sly", [write("check.sh", "true\n"), write("lib.txt", "wrong"), done()]);
    const ended = runtime.run(
      "P11",
      handsOut([
        { description: "Cheat", agent: "cheat", accept },
        { description: "Slyly", agent: "sly", accept, file_scope: ["lib.txt"] },
      ]),
    );
    for (let answered = 0; answered < 2; answered += 1) {
      const { id, delegation, details } = await runtime.question();
      expect(details).toEqual([delegation === "P11-DEL-001" ? "package.json (package-scripts)" : "check.sh"]);
      await runtime.engine.answer(id, { answer: "rejected", by: "ann", reason: "No." });
    }
    await ended;
    expect((await runtime.read("P11-DEL-001")).code).toBe("SENSITIVE_PATHS");
    expect((await runtime.read("P11-DEL-002")).code).toBe("SCOPE_VIOLATION");
    expect(runtime.file("refs/heads/ambit/P11", "lib.txt")).toBeUndefined();
  });

  it("stay binding for later work once accepted: a worker that breaks one is stopped (R196)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("builder", [write("lib.txt", "right"), done()]);
    runtime.agent("breaker", [write("lib.txt", "broken"), write("mine.txt", "mine"), done()]);
    await runtime.run(
      "P12",
      handsOut([
        { description: "Build", agent: "builder", accept: [passes("grep -q right lib.txt")] },
        {
          description: "Break",
          agent: "breaker",
          accept: [passes("test -f mine.txt")],
          depends_on: ["#1"],
        },
      ]),
    );
    expect((await runtime.read("P12-DEL-001")).outcome).toBe("completed");
    const stopped = await runtime.read("P12-DEL-002");
    expect(stopped).toMatchObject({ outcome: "partial", code: "RATCHET_BROKEN" });
    expect(stopped.summary).toContain("P12-DEL-001");
    expect(runtime.file("refs/heads/ambit/P12", "lib.txt")).toBe("right");
    expect(runtime.file("refs/heads/ambit/P12", "mine.txt")).toBeUndefined();
  });

  it("stop the second of two merges that are clean as text but break the build together; the first stays", async ({
    open,
  }) => {
    const runtime = await open();
    commit(runtime, "lib.js", "exports.area = (a, b) => a * b;\n");
    commit(runtime, "app.js", "console.log(require('./lib.js').area(2, 3));\n");
    commit(
      runtime,
      "build.js",
      "for (const file of require('fs').readdirSync('.')) if (/app/.test(file)) require('./' + file);\n",
    );
    const both = together(runtime.signal("both"), 2);
    runtime.agent("renamer", [
      both,
      shell("sed -i s/area/surface/ lib.js app.js"),
      shell("node build.js"),
      done(),
    ]);
    runtime.agent("user", [
      both,
      write("app-two.js", "console.log(require('./lib.js').area(3, 4));\n"),
      shell("node build.js"),
      done(),
    ]);
    const accept = [passes("node build.js")];
    await runtime.run(
      "P13",
      handsOut([
        { description: "Rename it", agent: "renamer", accept },
        { description: "Use it", agent: "user", accept },
      ]),
    );
    const ended = await Promise.all(["P13-DEL-001", "P13-DEL-002"].map((id) => runtime.read(id)));
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(["completed", "partial"]));
    for (const id of ["P13-DEL-001", "P13-DEL-002"]) expect(runtime.output(id, 1)).not.toContain("Error");
    const stopped = ended.find(({ outcome }) => outcome === "partial");
    expect(stopped).toMatchObject({ code: "CRITERION_FAILED" });
    const first = ended.find(({ outcome }) => outcome === "completed");
    expect(runtime.ref("refs/heads/ambit/P13")).toBe(first?.candidate?.commit);
  });
});
