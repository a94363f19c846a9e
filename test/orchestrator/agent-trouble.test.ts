import { describe, expect } from "vitest";
import { fakeClaude, said, type FakeRun } from "./fake-claude.ts";
import { it } from "./open-runtime.ts";

const half = { "half.txt": "half" };
const apiError = (status: number, text: string) =>
  said.result(text, { is_error: true, api_error_status: status, terminal_reason: "api_error" });

interface Trouble {
  readonly what: string;
  readonly run: FakeRun;
  readonly code: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly says: string;
}

/** The last run is repeated: a program that is broken stays so. */
const troubles: readonly Trouble[] = [
  {
    what: "is not logged in",
    run: { prints: [said.init, apiError(401, "Invalid API key · Please run /login")], exit: 1 },
    code: "AGENT_NOT_LOGGED_IN",
    outcome: "failed",
    attempts: 1,
    says: "ambit doctor",
  },
  {
    what: "is refused by its provider after some work",
    run: { writes: half, prints: [said.init, apiError(500, "API Error: 500 overloaded")], exit: 1 },
    code: "PROVIDER_FAILED",
    outcome: "partial",
    attempts: 1,
    says: "ambit logs",
  },
  {
    what: "asks for a permission that no person can give",
    run: {
      writes: half,
      prints: [
        said.init,
        said.result("I was not allowed to.", {
          permission_denials: [{ tool_name: "Bash", tool_use_id: "t" }],
        }),
      ],
    },
    code: "AGENT_NEEDS_PERMISSION",
    outcome: "blocked",
    attempts: 1,
    says: "Allow the tool",
  },
  {
    what: "uses up its turns",
    run: {
      writes: half,
      prints: [said.init, { ...said.result(""), subtype: "error_max_turns", is_error: true }],
      exit: 1,
    },
    code: "AGENT_TURN_LIMIT",
    outcome: "partial",
    attempts: 1,
    says: "smaller",
  },
  {
    what: "dies in the middle of its stream",
    run: {
      writes: half,
      prints: [said.init, said.text("I begin"), '{"type":"assistant","mess'],
      dies: "SIGKILL",
    },
    code: "AGENT_STREAM_BROKEN",
    outcome: "partial",
    attempts: 3,
    says: "ambit logs",
  },
  {
    what: "prints garbage",
    run: { prints: ["\u0000\u0001 not JSON", "[delegate:Evil:2]", "<html>504</html>", "{]"], exit: 0 },
    code: "AGENT_STREAM_BROKEN",
    outcome: "failed",
    attempts: 3,
    says: "ambit logs",
  },
];

describe.concurrent("an agent program that", () => {
  it.for(troubles)("$what ends with its code, its work kept and what to do", async (trouble, { open }) => {
    const runtime = await open();
    const command = fakeClaude(runtime.project, "agent", [trouble.run]);
    const story = await runtime.run("T1", [], { adapter: "claude", command });
    expect(story).toMatchObject({ code: trouble.code, outcome: trouble.outcome, attempt: trouble.attempts });
    expect(story.summary).toContain(trouble.says);
    expect(story.workers).toBe(0);
    const kept = trouble.run.writes === undefined ? undefined : "half";
    const branch = runtime.ref("refs/heads/delegation/T1");
    expect(branch === "" ? undefined : runtime.file("delegation/T1", "half.txt")).toBe(kept);
    expect(runtime.returnOf("T1", trouble.attempts, "salvaged-return.json")).toMatchObject({
      status: trouble.outcome,
      errors: [{ code: trouble.code, recommendation: expect.stringContaining(trouble.says) }],
    });
  });

  it("left a valid return is believed, whatever its stream says", async ({ open }) => {
    const runtime = await open();
    const command = fakeClaude(runtime.project, "agent", [
      { writes: half, prints: [said.init], returns: "Done before the end. Really.", dies: "SIGKILL" },
    ]);
    expect(await runtime.run("T2", [], { adapter: "claude", command })).toMatchObject({
      outcome: "completed",
      attempt: 1,
    });
  });

  it("broke off continues in its own session on the next attempt", async ({ open }) => {
    const runtime = await open();
    const command = fakeClaude(runtime.project, "agent", [
      { writes: half, prints: [said.init, said.text("I begin")], dies: "SIGKILL" },
      { prints: [said.init, said.result("Done.")], returns: "Went on. To the end." },
    ]);
    const story = await runtime.run("T3", [], { adapter: "claude", command });
    expect(story).toMatchObject({ outcome: "completed", attempt: 2, summary: "Went on. To the end." });
    expect(runtime.file("refs/heads/ambit/T3", "half.txt")).toBe("half");
  });

  it("is failed by its provider is tried again after a pause if the project allows it", async ({ open }) => {
    const runtime = await open("delegation:\n  retry: {enabled: true, maxAttempts: 2}\n");
    const command = fakeClaude(runtime.project, "agent", [
      { prints: [said.init, apiError(500, "API Error: 500")], exit: 1 },
      { prints: [said.init, said.result("Done.")], returns: "Back again. Done." },
    ]);
    expect(await runtime.run("T4", [], { adapter: "claude", command })).toMatchObject({
      outcome: "completed",
      attempt: 2,
    });
    expect(runtime.told("T4", "attempt-retried")).toMatchObject([{ kind: "retry" }]);
  });
});
