import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/journal/store.ts";
import { end, lease, start } from "../../reports/fill-store.ts";
import { checked, criterion, filledRepository, openWork, run } from "./filled-repository.ts";

/** Colours, a cleared screen, a window title, 8-bit controls, reordered text, markup, a workflow command, one long line. */
const hostile = [
  "\u001b[31mred\u001b[2J\u001b[H",
  "\u001b]0;owned\u0007",
  "\u009b31m\u009d0;owned\u009c",
  "\u202etxet\u2066\u200b",
  "<script>alert(1)</script>",
  "\r::error::injected\n::add-mask::x",
  "|`$(touch owned)`\u0000",
  "x".repeat(15_000),
].join(" ");

/** Hostile text in every field that a worker or a person can write to the journal. */
async function fill(store: Store): Promise<void> {
  const work = {
    adapter: "command",
    command: [hostile],
    model: hostile.slice(0, 150),
    context: hostile,
    criteria: [criterion("c1", { text: hostile.slice(0, 300) })],
    dependsOn: [],
    template: hostile.slice(0, 150),
  };
  await openWork(store, "S", { title: hostile, agent: hostile.slice(0, 150), work });
  const agent = hostile.slice(0, 100);
  const { id } = await start(store, "S", { description: `Do ${hostile.length}`, agent, criteria: [hostile] });
  await store.admit({ parent: "S", parentAttempt: 1, requests: [{ description: hostile, agent }] });
  const about = { story: "S", delegation: id, attempt: 1 } as const;
  await store.record({ ...about, type: "note-added", data: { text: hostile } });
  await store.record({ ...about, type: "limit-warned", data: { code: agent, message: hostile } });
  await store.record({
    ...about,
    type: "merge-refused",
    data: { code: agent, message: hostile, files: [hostile] },
  });
  await checked(store, id, { id: agent, verdict: "failed", evidence: hostile });
  await store.record({
    ...about,
    type: "attempt-ended",
    data: { reason: hostile, exitCode: 1, code: agent, durationMs: 5 },
  });
  await store.record({ ...about, type: "attempt-retried", data: { reason: hostile } });
  await store.begin(id, 2, lease);
  await store.requestCancel(id, { reason: hostile, by: agent });
  await store.settle(id, 2, { outcome: "failed", code: agent, summary: hostile, filesChanged: [hostile] });
  await store.record({
    ...about,
    delegation: "S",
    type: "approval-requested",
    data: { approvalId: "S-question-1", kind: "clarification", question: hostile, details: [hostile] },
  });
  await end(store, "S", { outcome: "partial", code: agent, summary: hostile, filesChanged: [hostile] });
}

const reports = [
  ["status"],
  ["status", "--all"],
  ["tree"],
  ["tree", "--format", "mermaid"],
  ["tree", "--format", "dot"],
  ["tree", "--format", "json"],
  ["cost"],
  ["cost", "--csv"],
  ["stats"],
  ["performance"],
  ["performance", "--by", "agent"],
  ["performance", "--by", "model", "--csv"],
  ["performance", "--by", "template"],
  ["audit"],
  ["explain", "S"],
  ["explain", "1", "-v"],
  ["inbox"],
  ["logs", "S", "--events"],
] as const;

// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/;

describe("hostile text in every field", () => {
  it("is shown harmlessly by every report", async () => {
    const directory = await filledRepository(fill);
    for (const words of reports) {
      const { stdout, stderr, exitCode } = await run(directory, words);
      expect([exitCode, stderr], words.join(" ")).toStrictEqual([0, ""]);
      expect(obeyed.exec(stdout)?.index, words.join(" ")).toBe(undefined);
      expect(
        stdout.split("\n").filter((line) => /^\s*::/.test(line)),
        words.join(" "),
      ).toStrictEqual([]);
      expect(stdout.length).toBeGreaterThan(20);
    }
  });

  it("leaves the JSON of every report one document on one line", async () => {
    const directory = await filledRepository(fill);
    for (const words of reports.filter(([command]) => command !== "logs")) {
      const { stdout } = await run(directory, ["--json", ...words]);
      expect(JSON.parse(stdout), words.join(" ")).toMatchObject({ schema: "ambit/v1" });
      expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    }
  });

  it("does not make the table of costs wider than the terminal", async () => {
    const directory = await filledRepository(fill);
    const { stdout } = await run(directory, ["cost"], { environment: { PATH: "", COLUMNS: "100" } });
    const table = stdout.split("\n").filter((line) => /^[┌│├└]/.test(line));
    expect(table.length).toBeGreaterThan(5);
    expect(Math.max(...table.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });
});
