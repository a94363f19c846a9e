import { describe, expect } from "vitest";
import { validateReturn } from "../../src/contract/validate-return.ts";
import { it } from "./open-runtime.ts";
import { returns, say, write } from "./steps.ts";

const passes = (command: string) => `\`${command}\` passes`;
const NOTE = "no return; summary made by the runtime";

describe.concurrent("a program that ends well without a return", () => {
  it("is completed when its required criteria pass, with a summary and a note of the runtime (R73)", async ({
    open,
  }) => {
    const runtime = await open();
    const criteria = [passes("grep -q 2026 year.txt")];
    const story = await runtime.command("N1", "echo 2026 > year.txt; echo updated", { criteria });
    expect(story).toMatchObject({ outcome: "completed", code: null, attempt: 1, filesChanged: ["year.txt"] });
    expect(story.summary).toContain("changed 1 file. It left no return");
    expect(runtime.file("refs/heads/ambit/N1", "year.txt")).toBe("2026\n");
    expect(runtime.told("N1", "note-added").map(({ text }) => text)).toContain(NOTE);
    const { sessionId, depth, path } = story;
    const written = runtime.returnOf("N1", 1, "salvaged-return.json");
    expect(validateReturn(written, { session: sessionId, depth, path })).toMatchObject({
      valid: true,
      value: { status: "completed" },
    });
  });

  it("is not completed when a required criterion fails; its work is kept", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes("grep -q 2026 year.txt")];
    const story = await runtime.command("N2", "echo 1999 > year.txt", { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.file("delegation/N2", "year.txt")).toBe("1999\n");
    expect(runtime.ref("refs/heads/ambit/N2")).toBe("");
  });

  it("is not completed without a criterion that can be run, or with an exit code other than 0", async ({
    open,
  }) => {
    const runtime = await open();
    expect(await runtime.command("N3", "echo x > x.txt")).toMatchObject({
      outcome: "partial",
      code: "NOT_JSON",
    });
    const vague = await runtime.command("N4", "echo x > x.txt", { criteria: ["Looks good"] });
    expect(vague).toMatchObject({ outcome: "partial", code: "NOT_JSON" });
    const criteria = [passes("test -f x.txt")];
    const failed = await runtime.command("N5", "echo x > x.txt; exit 4", { criteria });
    expect(failed).toMatchObject({ outcome: "partial", code: "NOT_JSON" });
    for (const id of ["N3", "N4", "N5"]) expect(runtime.told(id, "criterion-checked")).toEqual([]);
  });

  it("is asked to repair its return first if its agent knows the contract", async ({ open }) => {
    const runtime = await open();
    const script = [write("x.txt", "x"), say("I wrote the file.")];
    const story = await runtime.run("N6", script, { criteria: [passes("test -f x.txt")] });
    expect(story).toMatchObject({ outcome: "completed", attempt: 3 });
    expect(runtime.told("N6", "return-rejected").map(({ codes }) => codes)).toEqual([
      ["NOT_JSON"],
      ["NOT_JSON"],
    ]);
  });

  it("is judged by a return that it left, even a refused one", async ({ open }) => {
    const runtime = await open();
    const criteria = [passes("test -f x.txt")];
    const claims = returns("completed", "Wrote it. Done.", {
      artifacts: [{ type: "implementation", path: "never.txt" }],
    });
    const story = await runtime.run("N7", [write("x.txt", "x"), claims], { criteria });
    expect(story).toMatchObject({ outcome: "partial", code: "ARTIFACT_MISSING" });
    const given = `echo x > x.txt; echo '{"status":"failed","summary":"I could not."}'`;
    const blocked = await runtime.command("N8", given, { criteria });
    expect(blocked).toMatchObject({ outcome: "partial", code: "MISSING_FIELD:artifacts" });
  });
});
