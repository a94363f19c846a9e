import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { validateReturn } from "../../src/contract/validate-return.ts";
import { it } from "./open-runtime.ts";
import { because, delegate, done, returns, say, shell, write } from "./steps.ts";

const early = { early: true };
const text = (value: string) => ({ "return-text": value });
const exit = (code: number) => ({ exit: code });

describe.concurrent("one story", () => {
  it("walks its stages in their order, as its journal shows (R31, R83, R145, R200, C16)", async ({
    open,
  }) => {
    const runtime = await open();
    const story = await runtime.run("A1", [
      write("x.txt", "x"),
      { spend: { input: 5, output: 1, usd: 0.01 } },
      returns("completed", "Wrote x. Done.", { artifacts: [{ type: "implementation", path: "x.txt" }] }),
    ]);
    expect(story).toMatchObject({
      outcome: "completed",
      summary: "Wrote x. Done.",
      filesChanged: ["x.txt"],
      microUsd: 10_000,
      inputTokens: 5,
      outputTokens: 1,
      estimated: true,
    });
    expect(runtime.history("A1").filter((type) => type !== "note-added")).toEqual([
      "story-opened",
      "attempt-started",
      "workspace-created",
      "usage-reported",
      "attempt-ended",
      "work-kept",
      "delegation-returned",
      "delegation-verified",
      "delegation-merged",
      "delegation-closed",
      "workspace-removed",
    ]);
    expect(runtime.told("A1", "delegation-returned")).toEqual([
      { status: "completed", summary: "Wrote x. Done.", artifacts: ["x.txt"] },
    ]);
  });

  it("runs one program with its identity, and keeps the output of that program (R30, R84, R101)", async ({
    open,
  }) => {
    const runtime = await open();
    await runtime.command(
      "A2",
      'env | grep -c "^AMBIT_RUN_ID=forged"; echo "$DELEGATION_DEPTH $PARENT_STORY_ID"; echo aside >&2',
    );
    expect(runtime.output("A2", 1)).toBe("0\n0 A2\n");
    expect(runtime.output("A2", 1, "stderr")).toBe("aside\n");
  });

  it("ends as blocked, partial or failed if its agent says so, and merges none of its work", async ({
    open,
  }) => {
    const runtime = await open();
    for (const status of ["blocked", "partial", "failed"]) {
      const id = `A3-${status}`;
      const story = await runtime.run(id, [
        write("half.txt", "half"),
        returns(status, "Half of it. Not more.", because("No licence key.")),
      ]);
      expect(story).toMatchObject({ outcome: status, summary: "Half of it. Not more." });
      expect(runtime.ref(`refs/heads/ambit/${id}`)).toBe("");
      expect(runtime.file(`delegation/${id}`, "half.txt")).toBe("half");
    }
  });

  it("is closed if its program is missing, and leaves no workspace behind", async ({ open }) => {
    const runtime = await open();
    const missing = { adapter: "command", command: ["no-such-program-here"] };
    expect(await runtime.run("A4", [], missing)).toMatchObject({
      outcome: "failed",
      code: "TOOL_UNAVAILABLE",
    });
    expect(existsSync(join(`${runtime.project.root}.worktrees`, "ambit/workspaces/A4"))).toBe(false);
    await expect(runtime.run("A4", [])).rejects.toMatchObject({ code: "STORY_EXISTS" });
    await expect(runtime.engine.openStory({ id: "x" })).rejects.toMatchObject({ code: "USAGE" });
    await expect(runtime.run("A5", [], { adapter: "nobody" })).rejects.toMatchObject({
      code: "TOOL_UNAVAILABLE",
    });
    await expect(runtime.engine.openStory({ id: "A6", title: "x" })).rejects.toMatchObject({
      code: "AGENT_NOT_FOUND",
    });
  });
});

describe.concurrent("a return", () => {
  it("may be the final message if there is no file (C14)", async ({ open }) => {
    const runtime = await open();
    const print = `node -e 'const m = JSON.parse(process.env.AMBIT_RETURN_METADATA); console.log("Done: " + JSON.stringify({status: "completed", summary: "All. Good.", artifacts: [], metadata: m}))'`;
    expect(await runtime.command("B1", print)).toMatchObject({
      outcome: "completed",
      summary: "All. Good.",
    });
  });

  it("is never read from a link, a pipe or an endless file", async ({ open }) => {
    const runtime = await open();
    const tricks = { B2: "ln -s /etc/passwd", B3: "mkfifo" };
    for (const [id, trick] of Object.entries(tricks))
      expect(await runtime.command(id, `${trick} "$AMBIT_RETURN_FILE"`)).toMatchObject({
        outcome: "failed",
        code: "NOT_JSON",
      });
    expect(await runtime.command("B4", 'head -c 3000000 /dev/zero > "$AMBIT_RETURN_FILE"')).toMatchObject({
      code: "TOO_LARGE",
    });
  });

  it("is repaired in the same folder by an agent that gets the list of its faults (R55, R57)", async ({
    open,
  }) => {
    const runtime = await open();
    const story = await runtime.run("B5", {
      begin: [write("kept.txt", "kept"), text('{"status": "finished", "summary": ""}')],
      repair: [shell("cat kept.txt"), done("Repaired. Now it is one.")],
    });
    expect(story).toMatchObject({ outcome: "completed", summary: "Repaired. Now it is one.", attempt: 2 });
    expect(runtime.told("B5", "return-rejected")[0]).toEqual({
      codes: ["MISSING_FIELD:artifacts", "INVALID_STATUS", "SUMMARY_EMPTY"],
      repair: 0,
    });
    const prompt = runtime.prompt("B5", 2);
    for (const fact of [
      "Invalid status: finished",
      "Missing required field: artifacts",
      "Your work is kept. Only your return is missing or wrong",
    ])
      expect(prompt).toContain(fact);
    // That text is for the person who reads the journal, not for the agent.
    expect(prompt).not.toContain("Recommendation");
    expect(runtime.told("B5", "attempt-retried")[0]?.reason).toContain(
      "Error: Subagent return validation failed",
    );
    expect(runtime.output("B5", 2)).toContain("kept");
  });

  it("gets two repairs and no more; then the work is salvaged as a valid partial (R73)", async ({ open }) => {
    const runtime = await open();
    const story = await runtime.run("B6", [
      write("new.txt", "new"),
      { remove: "a.txt" },
      text("I did it, believe me"),
    ]);
    expect(story).toMatchObject({ outcome: "partial", code: "NOT_JSON", attempt: 3 });
    expect(story.filesChanged).toEqual(["a.txt", "new.txt"]);
    expect(runtime.file("delegation/B6", "new.txt")).toBe("new");
    expect(runtime.ref("refs/heads/ambit/B6")).toBe("");
    const { sessionId, depth, path } = story;
    const verdict = validateReturn(runtime.returnOf("B6", 3, "salvaged-return.json"), {
      session: sessionId,
      depth,
      path,
      probe: (file) => (runtime.file("delegation/B6", file) === undefined ? "missing" : "file"),
    });
    expect(verdict).toMatchObject({ valid: true, value: { status: "partial" } });
  });

  it("of an agent that changed nothing is salvaged as failed, valid by the same contract", async ({
    open,
  }) => {
    const runtime = await open();
    const story = await runtime.command("B7", "true");
    expect(story).toMatchObject({ outcome: "failed", code: "NOT_JSON", filesChanged: [], attempt: 1 });
    expect(runtime.project.git("branch", "--list", "delegation/B7")).toBe("");
    const { sessionId, depth, path } = story;
    const salvaged = runtime.returnOf("B7", 1, "salvaged-return.json");
    expect(validateReturn(salvaged, { session: sessionId, depth, path })).toMatchObject({
      valid: true,
      value: { status: "failed" },
    });
  });

  it("counts as interrupted, and not as missing, if it was only begun (R73)", async ({ open }) => {
    const runtime = await open();
    const begun = await runtime.run("B8", [early, write("y.txt", "y"), exit(3)]);
    expect(begun).toMatchObject({ outcome: "partial", code: "INTERRUPTED" });
    expect(begun.summary).toContain("It had started work.");
  });

  it("must name its own session and place in the tree (R26)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("forger", [
      shell(
        `node -e 'const m = JSON.parse(process.env.AMBIT_RETURN_METADATA); require("fs").writeFileSync(process.env.AMBIT_RETURN_FILE, JSON.stringify({status: "completed", summary: "Mine. All mine.", artifacts: [], metadata: {...m, session_id: "sess_1700000000_abcdef", delegation_depth: 0}}))'`,
      ),
    ]);
    await runtime.run("B9", {
      begin: [delegate([{ description: "Forge", agent: "forger" }])],
      results: [done()],
    });
    expect(runtime.told("B9-DEL-001", "return-rejected")[0]?.codes).toEqual([
      "SESSION_MISMATCH",
      "DEPTH_PATH_MISMATCH",
    ]);
    expect(await runtime.read("B9-DEL-001")).toMatchObject({ outcome: "failed", code: "SESSION_MISMATCH" });
  });

  it("names artifacts that are checked in the imported work, not in the folder (R53)", async ({ open }) => {
    const runtime = await open();
    const artifacts = [
      { type: "implementation", path: "ignored.log" },
      { type: "implementation", path: "link.txt" },
      { type: "implementation", path: "empty.txt" },
    ];
    const story = await runtime.run("B10", {
      begin: [
        write(".gitignore", "*.log\n"),
        write("ignored.log", "only here"),
        shell("ln -s /etc/passwd link.txt; : > empty.txt"),
        returns("completed", "Three files. None good.", { artifacts }),
      ],
      repair: [
        { remove: "link.txt" },
        write("real.txt", "real"),
        returns("completed", "One file. Good.", {
          artifacts: [{ type: "implementation", path: "real.txt" }],
        }),
      ],
    });
    expect(runtime.told("B10", "return-rejected")[0]?.codes).toEqual(["ARTIFACT_MISSING", "ARTIFACT_EMPTY"]);
    expect(story).toMatchObject({ outcome: "completed", attempt: 2, summary: "One file. Good." });
  });

  it("of an earlier attempt is not accepted again", async ({ open }) => {
    const runtime = await open();
    const story = await runtime.run("B11", {
      begin: [text('{"status": "completed"}')],
      repair: [say("I have nothing to add.")],
    });
    expect(story).toMatchObject({ outcome: "failed", code: "NOT_JSON" });
  });
});
