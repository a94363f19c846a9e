import { dirname, join, resolve } from "node:path";
import { describe, expect } from "vitest";
import type { ApprovalAnswer } from "../../src/contract/approval.ts";
import type { Approval } from "../../src/journal/store.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { delegate, done, say, shell, write } from "./steps.ts";

const answer = async (runtime: TestRuntime, given: ApprovalAnswer): Promise<Approval> => {
  const asked = await runtime.question();
  await runtime.engine.answer(asked.id, { answer: given, by: "ann", reason: "Because." });
  return asked;
};
const handsOut = (task: object) => ({ begin: [delegate([task])], results: [done()] });

describe.concurrent("a file scope", () => {
  it("holds a merge until a person accepts files outside the scope; a refusal leaves it on its branch (R119, R196)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("wide", [write("src/in.ts", "in"), write("docs/out.md", "out"), done()]);
    const task = { description: "Widen", agent: "wide", file_scope: ["src/**"] };
    const approved = runtime.run("S1", handsOut(task));
    expect(await answer(runtime, "approved")).toMatchObject({
      delegation: "S1-DEL-001",
      kind: "scope",
      details: ["docs/out.md"],
    });
    await approved;
    expect(runtime.file("refs/heads/ambit/S1", "docs/out.md")).toBe("out");
    expect(runtime.prompt("S1-DEL-001", 1)).toContain("## Change only\n- src/**");
    const rejected = runtime.run("S2", handsOut(task));
    await answer(runtime, "rejected");
    await rejected;
    const stopped = await runtime.read("S2-DEL-001");
    expect(stopped).toMatchObject({ outcome: "partial", code: "SCOPE_VIOLATION" });
    expect(stopped.summary).toContain("Refused: Because.\nIts work stays on delegation/S2-DEL-001.");
    expect(runtime.file("refs/heads/ambit/S2", "src/in.ts")).toBeUndefined();
    expect(runtime.file("delegation/S2-DEL-001", "docs/out.md")).toBe("out");
  });

  it("is inherited, and cannot be widened by handing it on (R119, C32)", async ({ open }) => {
    const runtime = await open();
    runtime.agent("heir", [write("docs/heir.md", "x"), done()]);
    runtime.agent("wide", [write("docs/wide.md", "x"), done()]);
    const ended = runtime.run(
      "S3",
      {
        begin: [
          delegate([
            { description: "Inherit", agent: "heir" },
            { description: "Widen", agent: "wide", file_scope: ["**"] },
          ]),
        ],
        results: [done()],
      },
      { fileScope: ["src/**"] },
    );
    const asked = [await answer(runtime, "rejected"), await answer(runtime, "rejected")];
    expect(asked.flatMap(({ details }) => details).toSorted()).toEqual(["docs/heir.md", "docs/wide.md"]);
    await ended;
    for (const id of ["S3-DEL-001", "S3-DEL-002"])
      expect((await runtime.read(id)).code).toBe("SCOPE_VIOLATION");
  });
});

describe.concurrent("files that other programs obey", () => {
  it("are merged only after approval, and asked about separately from the scope", async ({ open }) => {
    const runtime = await open();
    runtime.agent("tuner", [
      write(".github/workflows/ci.yml", "on: push\n"),
      write("src/tool.sh", "#!/bin/sh\n"),
      shell("chmod +x src/tool.sh"),
      done(),
    ]);
    const ended = runtime.run(
      "S4",
      handsOut({ description: "Tune", agent: "tuner", file_scope: ["src/**"] }),
    );
    expect(await answer(runtime, "approved")).toMatchObject({
      kind: "scope",
      details: [".github/workflows/ci.yml"],
    });
    expect(await answer(runtime, "approved")).toMatchObject({
      kind: "sensitive-paths",
      details: [".github/workflows/ci.yml (continuous-integration)", "src/tool.sh (new executable)"],
    });
    await ended;
    expect(runtime.file("refs/heads/ambit/S4", ".github/workflows/ci.yml")).toBe("on: push\n");
  });

  it("are not merged without an answer", async ({ open }) => {
    const runtime = await open();
    const story = await runtime.run("S5", [write(".envrc", "export X=1\n"), done()], { timeoutSeconds: 6 });
    expect(story).toMatchObject({ outcome: "partial", code: "SENSITIVE_PATHS" });
    expect(story.summary).toContain("There was no answer");
    expect(runtime.ref("refs/heads/ambit/S5")).toBe("");
  });
});

describe.concurrent("a sandbox", () => {
  it("hides the home folders, and its work is kept like any other", async ({ open }) => {
    const runtime = await open();
    const isolation = { isolation: "sandbox" };
    const kept = await runtime.command(
      "S6",
      "echo in > in.txt; ls /home /root 2>/dev/null | wc -l",
      isolation,
    );
    expect(kept).toMatchObject({ outcome: "partial", filesChanged: ["in.txt"] });
    expect(runtime.file("delegation/S6", "in.txt")).toBe("in\n");
    expect(runtime.output("S6", 1)).toBe("0\n");
    expect(await runtime.command("S7", "true", isolation)).toMatchObject({ outcome: "failed" });
    expect(runtime.project.git("branch", "--list", "delegation/S7")).toBe("");
  });

  it("lets its worker return, delegate and repair, and never accepts an old return as a new one", async ({
    open,
  }) => {
    const runtime = await open();
    const readable = [join(dirname(runtime.project.root), "scripts"), resolve("dist")];
    runtime.agent("helper", [write("helped.txt", "x"), done()]);
    const story = await runtime.run(
      "S8",
      {
        begin: [delegate([{ description: "Help", agent: "helper" }])],
        results: [shell("cat helped.txt"), { "return-text": "{}" }],
        repair: [write("more.txt", "y"), done("Repaired. All in.")],
      },
      { isolation: "sandbox", readable },
    );
    expect(story).toMatchObject({ outcome: "completed", attempt: 3 });
    expect(runtime.file("refs/heads/ambit/S8", "helped.txt")).toBe("x");
    expect(runtime.file("refs/heads/ambit/S8", "more.txt")).toBe("y");
    const stale = await runtime.run(
      "S9",
      { begin: [{ "return-text": '{"status": "completed"}' }], repair: [say("Nothing to add.")] },
      { isolation: "sandbox", readable },
    );
    expect(stale).toMatchObject({ outcome: "failed", code: "NOT_JSON" });
  });
});
