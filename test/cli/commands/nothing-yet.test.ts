import { describe, expect, it } from "vitest";
import { listFiles, temporaryFolder, temporaryRepository } from "../temporary-folder.ts";
import { json, run } from "./filled-repository.ts";

const commands = [
  ["inbox"],
  ["logs"],
  ["logs", "--events"],
  ["diff"],
  ["diff", "--name-only"],
  ["verify"],
  ["verify", "--rerun"],
  ["explain"],
  ["merge", "--yes"],
  ["merge", "--undo", "--yes"],
  ["resume"],
  ["retry", "@last"],
  ["attach"],
] as const;

describe.each(commands.map((words) => [words.join(" "), words] as const))("ambit %s", (_name, words) => {
  it("gives a helpful answer and creates nothing if nothing was delegated", async () => {
    const directory = temporaryRepository();
    const before = listFiles(directory);
    const { exitCode, stderr } = await run(directory, words);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: "" });
    expect(await json(directory, words)).toMatchObject({ schema: "ambit/v1" });
    expect(listFiles(directory)).toStrictEqual(before);
  });

  it("is refused outside a repository with exit 6", async () => {
    const { exitCode, stdout, stderr } = await run(temporaryFolder(), words);
    expect({ exitCode, stdout }).toStrictEqual({ exitCode: 6, stdout: "" });
    expect(stderr).toMatch(/^✖ NOT_A_REPOSITORY {2}\S/);
  });
});

it.each([["logs"], ["diff"], ["verify"], ["explain"], ["merge"], ["resume"], ["retry"]])(
  "ambit %s refuses an unknown id with exit 2",
  async (command) => {
    const { exitCode, stderr } = await run(temporaryRepository(), [command, "nobody"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("✖ STORY_NOT_FOUND");
  },
);

const forPeople = [
  ["approve", "S-1"],
  ["reject", "S-1"],
  ["reply", "S-1", "yes"],
  ["resume", "S-1"],
  ["retry", "S-1"],
  ["merge", "S-1", "--yes"],
  ["quick", "do it", "--", "true"],
  ["init", "--yes"],
] as const;

it.each(forPeople.map((words) => [words.join(" "), words] as const))(
  "ambit %s is refused inside a worker, before anything is read",
  async (_name, words) => {
    const directory = temporaryRepository();
    const before = listFiles(directory);
    const { exitCode, stdout, stderr } = await run(directory, words, { environment: { AMBIT_TOKEN: "x" } });
    expect(exitCode).not.toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toContain("✖ NOT_A_PERSON  A worker never ");
    expect(listFiles(directory)).toStrictEqual(before);
  },
);
