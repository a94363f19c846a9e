import { describe, expect, it } from "vitest";
import { renderSymptomGuide } from "../../../src/cli/render/symptom.ts";
import { looks } from "../../../src/app/doctor/look-for-symptom.ts";
import { symptomNames, symptoms } from "../../../src/app/symptoms.ts";
import { end, start } from "../../reports/fill-store.ts";
import { problemWith } from "../command-lines.ts";
import { runInProcess } from "../run-in-process.ts";
import { ask, filledRepository, json, openWork } from "./filled-repository.ts";
import { temporaryFolder, temporaryRepository } from "../temporary-folder.ts";

/** The symptoms that the requirement names. */
const NAMED = ["hang", "loop", "timeout", "validation", "settle", "routing", "result", "worktrees"];

describe("known symptoms (R128)", () => {
  it("are complete, and each can be looked up (R128)", () => {
    expect(symptomNames).toEqual(expect.arrayContaining(NAMED));
    expect([...looks.keys()].toSorted()).toEqual(symptomNames.toSorted());
  });

  it("match the guide; to update it: vitest run -u", async () => {
    await expect(renderSymptomGuide(symptoms)).toMatchFileSnapshot("../../../docs/guides/troubleshooting.md");
  });

  it.each(symptoms.flatMap(({ name, steps }) => steps.map(({ command }) => [name, command] as const)))(
    "include steps that can be typed: %s, %s",
    async (_name, command) => {
      if (command !== undefined) expect(await problemWith(command)).toBeUndefined();
    },
  );

  it.each(symptoms)(
    "doctor --symptom $name shows causes and steps, even in an unused project",
    async (symptom) => {
      const directory = temporaryRepository();
      const { stdout, exitCode } = await runInProcess(["doctor", "--symptom", symptom.name], { directory });
      expect(exitCode).toBe(0);
      expect(stdout).toContain("nothing that fits");
      for (const cause of symptom.causes) expect(stdout).toContain(cause);
      for (const { command = "" } of symptom.steps) expect(stdout).toContain(command);
      const json = await runInProcess(["doctor", "--symptom", symptom.name, "--json"], { directory });
      expect(JSON.parse(json.stdout)).toMatchObject({ symptom: symptom.name, found: [] });
    },
  );

  it("are listed by help, and an unknown name is answered with the whole list", async () => {
    const directory = temporaryFolder();
    const help = await runInProcess(["help", "troubleshooting"], { directory });
    for (const { name, title } of symptoms) {
      expect(help.stdout).toContain(`  ${name} `);
      expect(help.stdout.replaceAll(/\s+/g, " ")).toContain(title);
    }
    const wrong = await runInProcess(["doctor", "--symptom", "cough"], { directory });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain(symptomNames.join(", "));
  });
});

describe("doctor's signs of a symptom in a project (R128)", () => {
  async function found(directory: string, symptom: string): Promise<string> {
    return JSON.stringify((await json(directory, ["doctor", "--symptom", symptom]))["found"]);
  }

  it("include waiting work, refused returns, circles, late stages, lost results and the chosen agent", async () => {
    const directory = await filledRepository(async (store, clock) => {
      await openWork(store, "US-1");
      const about = { story: "US-1", delegation: "US-1", attempt: 1 } as const;
      await store.record({ ...about, type: "note-added", data: { text: "manager was asked for" } });
      await ask(store, "US-1", { kind: "clarification", question: "npm or pnpm?" });
      await store.record({ ...about, type: "return-rejected", data: { codes: ["NOT_JSON"], repair: 1 } });
      const late = await start(store, "US-1", { description: "Late", agent: "slow" });
      clock.advance(60_000);
      await end(store, late.id, { outcome: "timed_out", code: "TIMEOUT", summary: "Too long." });
      await store.admit({
        parent: "US-1",
        parentAttempt: 1,
        requests: [{ description: "Back", agent: "manager" }],
      });
      const done = await start(store, "US-1", { description: "Back", agent: "quick" });
      const data = { status: "completed", summary: "Done.", artifacts: [] };
      await store.record({ ...about, type: "delegation-returned", delegation: done.id, data });
    });
    expect(await found(directory, "hang")).toContain("npm or pnpm?");
    expect(await found(directory, "hang")).toContain("no supervisor runs");
    expect(await found(directory, "validation")).toContain("NOT_JSON");
    expect(await found(directory, "timeout")).toContain("TIMEOUT with a limit of 30m");
    expect(await found(directory, "loop")).toContain("CYCLE_DETECTED");
    expect(await found(directory, "settle")).toContain("is still returned");
    expect(await found(directory, "result")).toContain("delegation/US-1-DEL-001");
    expect(await found(directory, "routing")).toContain("manager was asked for");
    expect(await found(directory, "unverified")).toBe("[]");
    const shown = await runInProcess(["doctor", "--symptom", "result"], { directory });
    expect(shown.stdout).toContain("ambit diff US-1-DEL-001");
  });
});
