import { describe, expect, it } from "vitest";
import { end } from "../../reports/fill-store.ts";
import { temporaryFolder, temporaryRepository } from "../temporary-folder.ts";
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
  expect((await run(directory, ["explain"])).stdout).toMatch(
    /Next\n {2}ambit diff S-1\n {2}ambit merge S-1$/,
  );
  await run(directory, ["merge", "--yes"]);
  const explained = (await run(directory, ["explain"])).stdout;
  expect(explained).toContain("Its work is on the branch ambit/S-1, and it is merged.");
  expect(explained).toMatch(/ambit merge S-1 --undo$/);
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

it("ambit alone offers an agent that can work here, and no second init", async () => {
  const agent = "---\ndescription: d\nadapter: command\ncommand: [true]\n---\nWork.\n";
  const fresh = temporaryRepository({ ".ambit/agents/painter.md": agent });
  const { stdout } = await run(fresh, []);
  expect(stdout).toContain("  ambit init  detect");
  expect(stdout).toContain("ambit run 'Fix the failing test' --agent painter --accept '`npm test` passes'");
  const setUp = temporaryRepository({ "ambit.yaml": "version: 1\n" });
  const again = (await run(setUp, [])).stdout;
  expect(again).toContain("  ambit doctor  see what is ready");
  expect(again).not.toContain("ambit init");
});

describe("ambit doctor", () => {
  const nothing = { environment: { PATH: "/usr/bin:/bin" } };

  it("checks the machine outside a repository, too, and exits 6", async () => {
    const { exitCode, stdout } = await run(temporaryFolder(), ["doctor"], nothing);
    expect(exitCode).toBe(6);
    expect(stdout).toMatch(/^[✔!] git {2,}/m);
    expect(stdout).toMatch(/^✖ repository {2,}.+ is not inside a git repository/m);
  });

  it("says that a repository without a commit is not ready", async () => {
    const { exitCode, stdout } = await run(temporaryRepository(), ["doctor"], nothing);
    expect(exitCode).toBe(6);
    expect(stdout).toMatch(/^✖ repository {2,}.+ no commit yet.*\n {4}next {2}Make a first commit/m);
  });

  it("ticks no agent that is not installed, and says when no agent can work", async () => {
    const { stdout } = await run(temporaryRepository(), ["doctor"], nothing);
    expect(stdout).toMatch(/^- agent claude {2,}not installed\n {4}next {2}npm install/m);
    expect(stdout).toMatch(/^! agents {2,}no agent can work here yet\n {4}next {2}Install one/m);
    const agent = "---\ndescription: d\nadapter: command\ncommand: [true]\n---\nWork.\n";
    const own = temporaryRepository({ ".ambit/agents/painter.md": agent });
    const known = (await run(own, ["doctor", "--ascii"], nothing)).stdout;
    expect(known).toMatch(/^- {4}agent claude {2,}not installed\n- /m);
    expect(known).not.toContain("no agent can work");
  });

  it("leaves out the kinds of containment that are not used, unless asked with -v", async () => {
    const kinds = /^✔ {3}process-group /m;
    const directory = temporaryRepository();
    expect((await run(directory, ["doctor"], nothing)).stdout).not.toMatch(kinds);
    expect((await run(directory, ["doctor", "-v"], nothing)).stdout).toMatch(kinds);
  });
});
