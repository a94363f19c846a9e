import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/journal/store.ts";
import { end, start } from "../../reports/fill-store.ts";
import { ask, filledRepository, json, openWork, run, stateOf } from "./filled-repository.ts";

async function threeQuestions(store: Store): Promise<void> {
  await openWork(store, "S-1");
  await start(store, "S-1", { description: "Write ids", timeoutSeconds: 600 });
  await start(store, "S-1", { description: "Change the build" });
  await ask(store, "S-1-DEL-001", { kind: "clarification", question: "uuid or bigint?" });
  await ask(store, "S-1-DEL-002", { kind: "sensitive-paths", details: ["package-lock.json (lockfile)"] });
  await ask(store, "S-1-DEL-002", { kind: "scope", details: ["docs/\u001b[31mred.md"] });
}

describe("ambit inbox", () => {
  it("lists pending questions, oldest first, with the exact command that answers each, and needs no supervisor", async () => {
    const directory = await filledRepository(threeQuestions);
    const before = await stateOf(directory);
    const { exitCode, stdout } = await run(directory, ["inbox"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^3 questions wait for you\n\nS-1-DEL-001 {2}clarification {2}waits /);
    expect(stdout).toContain('asks    uuid or bigint?\n  answer  ambit reply S-1-DEL-001 "…"');
    expect(stdout).toContain(
      "package-lock.json (lockfile)\n  answer  ambit approve S-1-DEL-002-sensitive-paths-1\n",
    );
    expect(stdout).toContain('ambit reject S-1-DEL-002-scope-1 --reason "…"');
    expect(stdout).not.toContain("\u001b");
    expect(await stateOf(directory)).toStrictEqual(before);
  });

  it("lists the same questions as JSON, with the time at which each expires", async () => {
    expect(await json(await filledRepository(threeQuestions), ["inbox"])).toMatchObject({
      questions: [
        {
          id: "S-1-DEL-001-clarification-1",
          name: "S-1-DEL-001",
          story: "S-1",
          delegation: "S-1-DEL-001",
          description: "Write ids",
          kind: "clarification",
          question: "uuid or bigint?",
          details: [],
          asked_at: "2026-01-20T10:30:00.000Z",
          expires_at: "2026-01-20T10:40:00.000Z",
          answer_with: ['ambit reply S-1-DEL-001 "…"'],
        },
        { id: "S-1-DEL-002-sensitive-paths-1", name: "S-1-DEL-002-sensitive-paths-1" },
        { kind: "scope", details: ["docs/\u001b[31mred.md"] },
      ],
    });
  });

  it("omits questions that were answered or whose work has ended", async () => {
    const directory = await filledRepository(async (store) => {
      await threeQuestions(store);
      const data = {
        approvalId: "S-1-DEL-002-scope-1",
        answer: "rejected",
        by: "person",
        reason: "no",
      } as const;
      await store.record({
        type: "approval-answered",
        story: "S-1",
        delegation: "S-1-DEL-002",
        attempt: 0,
        data,
      });
      await end(store, "S-1-DEL-001", { outcome: "failed", summary: "Gone." });
    });
    const { stdout } = await run(directory, ["inbox"]);
    expect(stdout).toMatch(/^1 question waits for you\n\nS-1-DEL-002 {2}sensitive-paths/);
    expect(stdout).toContain("ambit approve S-1-DEL-002\n");
  });
});

describe("an answer to a question", () => {
  it.each([
    [["approve", "S-1-DEL-001"], 2, "USAGE", "needs words, not a yes or a no", 'ambit reply S-1-DEL-001 "…"'],
    [["reject", "1"], 2, "USAGE", "needs words", "ambit reply S-1-DEL-001"],
    [
      ["reply", "S-1-DEL-002-scope-1", "hm"],
      2,
      "USAGE",
      "needs a yes or a no",
      "ambit approve S-1-DEL-002-scope-1",
    ],
    [["approve", "S-1-DEL-002"], 2, "USAGE", "has 2 open questions", "S-1-DEL-002-scope-1 (scope)"],
    [["approve", "S-1"], 2, "USAGE", "has 2 open questions", "sensitive-paths"],
    [["approve", "S-1-DEL-002-s"], 2, "USAGE", "has 2 open questions", "scope"],
    [["approve", "nobody"], 2, "STORY_NOT_FOUND", "nobody", "Newest here"],
    [["reply", "S-1-DEL-001", " "], 2, "USAGE", "the answer is empty", "question in words"],
    [["reply", "S-1-DEL-001", "x".repeat(4001)], 2, "USAGE", "4001 characters", "at most 4000"],
  ])("%j is refused with advice, and changes nothing", async (words, exit, code, message, next) => {
    const directory = await filledRepository(threeQuestions);
    const before = await stateOf(directory);
    const { exitCode, stdout, stderr } = await run(directory, words);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: exit, stdout: "" });
    expect(stderr).toContain(`✖ ${code}`);
    expect(stderr).toContain(message);
    expect(stderr).toContain(next);
    expect(await stateOf(directory)).toStrictEqual(before);
  });

  it("is final: a second one is refused with the name of the first person", async () => {
    const directory = await filledRepository(async (store) => {
      await openWork(store, "S-1");
      const approvalId = await ask(store, "S-1", { kind: "cost" });
      const data = { approvalId, answer: "approved", by: "person", reason: "is fine" } as const;
      await store.record({ type: "approval-answered", story: "S-1", delegation: "S-1", attempt: 0, data });
    });
    const { exitCode, stderr } = await run(directory, ["reject", "S-1-cost-1"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "APPROVAL_NOT_FOUND  S-1-cost-1 was already answered: approved by person: is fine",
    );
    expect((await run(directory, ["approve", "S-1"])).stderr).toContain(
      'Nothing about "S-1" waits for an answer.',
    );
  });
});
