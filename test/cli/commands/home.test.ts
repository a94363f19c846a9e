import { expect, it } from "vitest";
import { end } from "../../reports/fill-store.ts";
import { ask, filledRepository, json, openWork, run } from "./filled-repository.ts";
import { completedStory } from "./story-repository.ts";

it("ambit alone names the story that waits for an answer, and the inbox first", async () => {
  const directory = await filledRepository(async (store) => {
    await openWork(store, "S-1");
    await ask(store, "S-1", { kind: "clarification", question: "npm or pnpm?" });
    await openWork(store, "S-2");
    await end(store, "S-2", { outcome: "failed", summary: "Broken." });
  });
  const { stdout } = await run(directory, []);
  expect(stdout).toMatch(/S-1 {2}needs you .* Work S-1\nS-2 {2}failed .* Work S-2\n\n {2}ambit inbox/);
});

it("ambit alone says that work is interrupted, and how to continue it", async () => {
  const directory = await filledRepository((store) => openWork(store, "S-1"));
  expect((await run(directory, [])).stdout).toMatch(/S-1 {2}interrupted .*\n[^]*\n {2}ambit resume S-1/);
});

it("ambit alone offers to merge completed work, and to undo that once it is merged", async () => {
  const { directory } = await completedStory();
  expect((await run(directory, [])).stdout).toMatch(/done {2}not merged[^]*ambit merge S-1 {2}bring it/);
  await run(directory, ["merge", "--yes"]);
  const { stdout } = await run(directory, []);
  expect(stdout).toMatch(/done {2}merged[^]*ambit merge S-1 --undo/);
  expect(stdout).not.toContain("bring it");
});

it("ambit doctor does not call a supervisor dead that left because all work waits for answers", async () => {
  const directory = await filledRepository(async (store) => {
    await openWork(store, "S-1");
    await ask(store, "S-1", { kind: "clarification", question: "npm or pnpm?" });
  });
  const findWork = async () => {
    const { findings } = await json(directory, ["doctor"]);
    return Array.isArray(findings) ? findings.find(({ name }) => name === "open work") : undefined;
  };
  expect(await findWork()).toMatchObject({
    ok: true,
    detail: expect.stringContaining("waiting for your answers"),
  });
});

it("ambit doctor says that a supervisor died if work could go on", async () => {
  const directory = await filledRepository((store) => openWork(store, "S-1"));
  const { stdout } = await run(directory, ["doctor"]);
  expect(stdout).toContain("A supervisor died. Close what it left: ambit doctor --fix");
});
