import { describe, expect } from "vitest";
import { removeFolder } from "../e2e/remove-folder.ts";
import { makeProject } from "../e2e/project.ts";
import { dirname } from "node:path";
import { buildCriteriaRows } from "../../src/orchestrator/criteria-rows.ts";
import { it, openOn, useRuntime, type TestRuntime } from "./open-runtime.ts";
import { delegate, directive, done, hang, returns, say, spend, write } from "./steps.ts";

const settings = `
verification:
  reviewer: critic
delegation:
  windDown:
    graceSeconds: 0
`;

const text = "The greeting is friendly";
const criteria = [{ text, check: { manual: true } }];
const work = [write("greeting.txt", "Good morning, dear reader\n"), done()];
const seen = { file: "greeting.txt", quote: "Good morning, dear reader" };

const verdict = (said: string, evidence: readonly object[] = [], reason = "I read the greeting.") =>
  returns("completed", "Looked at it. All of it.", {
    review: [{ criterion: "c1", verdict: said, reason, evidence }],
  });

async function rowsOf(runtime: TestRuntime, id: string) {
  const delegation = await runtime.read(id);
  const approvals = await runtime.engine.tools.store.approvalsOf(id);
  const events = runtime.events.filter((event) => event.delegation === id);
  return buildCriteriaRows({ delegation, events, approvals });
}

/** Answers the next question, and returns it. */
async function answer(runtime: TestRuntime, given: "approved" | "rejected") {
  const question = await runtime.question();
  await runtime.engine.answer(question.id, { answer: given, by: "ada", reason: "I looked at it" });
  return question;
}

describe.concurrent("a reviewer", () => {
  it("decides a criterion that no command can check, with evidence from the reviewed tree", async ({
    open,
  }) => {
    const runtime = await open(settings);
    runtime.agent("critic", [verdict("passed", [seen])]);
    expect(await runtime.run("W1", work, { criteria })).toMatchObject({ outcome: "completed" });
    const review = await runtime.read("W1-DEL-001");
    expect(review).toMatchObject({ outcome: "completed", agent: "critic", parent: "W1", depth: 1 });
    expect(review.sessionId).not.toBe((await runtime.read("W1")).sessionId);
    expect(runtime.file(review.work?.base ?? "", "greeting.txt")).toContain("Good morning");
    const [row] = await rowsOf(runtime, "W1");
    expect(row).toMatchObject({ verdict: "passed", by: "W1-DEL-001" });
    expect(row?.evidence).toBe(
      'critic: I read the greeting. Evidence: greeting.txt: "Good morning, dear reader"',
    );
    const prompt = runtime.prompt("W1-DEL-001", 1);
    expect(prompt).toContain(`- c1: ${text}`);
    expect(prompt).toContain("Change nothing");
    expect(prompt).not.toContain("You may delegate");
    expect(runtime.told("W1", "approval-requested")).toEqual([]);
  });

  it("can reject the work, which is then refused with the reason", async ({ open }) => {
    const runtime = await open(settings);
    runtime.agent("critic", [verdict("failed", [], "It greets nobody by name.")]);
    const story = await runtime.run("W2", work, { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(story.summary).toContain("Decided by W2-DEL-001 (reviewer): critic: It greets nobody by name.");
    expect(runtime.ref("refs/heads/ambit/W2")).toBe("");
  });

  it("is not asked while a check is red", async ({ open }) => {
    const runtime = await open(settings);
    runtime.agent("critic", [verdict("passed", [seen])]);
    const both = [...criteria, "`test -f missing.txt` exits with code 0"];
    const story = await runtime.run("W3", work, { criteria: both });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED", workers: 0 });
  });

  it.for([
    ["W4", "without evidence", [verdict("passed")], /named no evidence/],
    [
      "W5",
      "with evidence that is not there",
      [verdict("passed", [{ file: "greeting.txt", quote: "Good evening, dear reader" }])],
      /not in the reviewed tree/,
    ],
    ["W6", "with a quote that every file has", [verdict("passed", [{ ...seen, quote: "o" }])], /not in the/],
    [
      "W7",
      "with a file outside the tree",
      [verdict("passed", [{ ...seen, file: "../../etc/passwd" }])],
      /not in the/,
    ],
    [
      "W8",
      "with evidence that it wrote itself",
      [
        write("proof.txt", "It is friendly."),
        verdict("passed", [{ file: "proof.txt", quote: "It is friendly." }]),
      ],
      /not in the reviewed tree/,
    ],
  ] as const)(
    "whose approval, in %s, comes %s leaves the criterion to a person",
    async ([id, , script, why], { open }) => {
      const runtime = await open(settings);
      runtime.agent("critic", [...script]);
      await runtime.start(id, work, { criteria });
      const question = await answer(runtime, "approved");
      expect(question).toMatchObject({ kind: "criterion", delegation: id, details: [text] });
      expect(question.question).toContain("The reviewer critic did not decide it");
      expect(await runtime.engine.whenEnded(id)).toMatchObject({ outcome: "completed" });
      expect(runtime.told(id, "criterion-checked")[0]).toMatchObject({ verdict: "unverified" });
      expect(runtime.told(id, "criterion-checked")[0]?.evidence).toMatch(why);
      expect((await rowsOf(runtime, id))[0]).toMatchObject({ verdict: "passed", by: "ada" });
      expect(runtime.file(`refs/heads/ambit/${id}`, "proof.txt")).toBeUndefined();
    },
  );

  it("would be believed if its evidence were not looked up (control)", async ({ onTestFinished }) => {
    const project = makeProject();
    project.write("ambit.yaml", settings);
    project.git("commit", "--quiet", "-am", "settings");
    const runtime = useRuntime(
      project,
      await openOn(project, {
        adaptTools: (tools) => ({
          ...tools,
          git: { ...tools.git, readFile: async () => Buffer.from("Good evening, dear reader") },
        }),
      }),
    );
    onTestFinished(() => runtime.close().finally(() => removeFolder(dirname(project.root))));
    runtime.agent("critic", [verdict("passed", [{ ...seen, quote: "Good evening, dear reader" }])]);
    expect(await runtime.run("W9", work, { criteria })).toMatchObject({ outcome: "completed" });
  });

  it.for([
    [
      "V1",
      "prints garbage",
      [say("[[[ yes yes yes"), { say: '{"review": "yes"}' }],
      /NOT_JSON|No usable return/,
    ],
    ["V2", "leaves the verdicts out", [done("All is well. Trust me.")], /MISSING_FIELD:review/],
    ["V3", "hangs", [hang("deaf")], /timed_out/],
    ["V4", "spends more than its part", [spend(9), hang("talking")], /partial|failed/],
    ["V5", "hands its judging to others", [directive("Judge it for me")], /./],
  ] as const)("%s: is ended if it %s, and a person is asked", async ([id, , script, why], { open }) => {
    const runtime = await open(settings);
    runtime.agent("critic", [...script]);
    await runtime.start(id, work, {
      criteria,
      budgetMicroUsd: 1_000_000,
      timeoutSeconds: id === "V3" ? 20 : 120,
    });
    const question = await answer(runtime, "rejected");
    expect(question.question).toMatch(/The reviewer critic (ended|did not)/);
    expect(question.question).toMatch(why);
    const story = await runtime.engine.whenEnded(id);
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    const review = await runtime.read(`${id}-DEL-001`);
    expect(review).toMatchObject({ state: "closed", workers: 0 });
    expect(review.outcome).not.toBe("completed");
    expect(story.money.spent).toBeLessThanOrEqual(10_000_000);
  });

  it("cannot change the work by editing it", async ({ open }) => {
    const runtime = await open(settings);
    runtime.agent("critic", [write("greeting.txt", "mine\n"), verdict("passed", [seen])]);
    await runtime.run("W10", work, { criteria });
    expect(runtime.file("refs/heads/ambit/W10", "greeting.txt")).toBe("Good morning, dear reader\n");
    const notes = runtime.told("W10-DEL-001", "note-added").map((note) => note.text);
    expect(notes).toContain("The reviewer changed 1 file; nothing of it is merged.");
    expect((await runtime.read("W10-DEL-001")).filesChanged).toEqual([]);
  });

  it("is never an agent that took part in the work", async ({ open }) => {
    const runtime = await open(settings);
    runtime.agent("critic", [...work]);
    const hands = {
      begin: [delegate([{ description: "Greet", agent: "critic", accept: [text] }])],
      results: [done()],
    };
    await runtime.start("W11", hands);
    const question = await answer(runtime, "rejected");
    expect(question.question).toContain("critic took part in the work and cannot review it");
    await runtime.engine.whenEnded("W11");
    expect((await runtime.read("W11-DEL-001")).workers).toBe(0);
  });

  it("is asked again about a new attempt", async ({ open }) => {
    const runtime = await open(`${settings}  retry:\n    enabled: true\n    maxAttempts: 2\n`);
    runtime.agent("critic", [verdict("failed", [], "It names no one.")]);
    const story = await runtime.run("W12", work, { criteria });
    expect(story).toMatchObject({ outcome: "partial", workers: 2, attempt: 2 });
    expect(runtime.prompt("W12", 2)).toContain("It names no one.");
  });
});
