import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { completeWords } from "../../src/cli/complete-words.ts";
import { commands } from "../../src/cli/commands.ts";
import { ask, filledRepository, openWork } from "./commands/filled-repository.ts";
import { temporaryFolder, temporaryRepository } from "./temporary-folder.ts";

async function complete(directory: string, ...words: string[]): Promise<readonly string[]> {
  const output = await completeWords({ words, directory, environment: {} });
  return output.split("\n").map((line) => line.split("\t")[0] ?? "");
}

it("offers every command, and the choices of an option", async () => {
  const folder = temporaryFolder();
  expect(await complete(folder, "")).toEqual(commands.map(({ name }) => name));
  expect(await complete(folder, "--reporter", "p")).toEqual(["plain"]);
  expect(await complete(folder, "--reporter=p")).toEqual(["--reporter=plain"]);
  expect(await complete(folder, "completion", "")).toEqual(["bash", "zsh", "fish", "pwsh"]);
  expect(await complete(folder, "run", "x", "--", "")).toEqual([":files"]);
  expect(await complete(folder, "-C", "")).toEqual([":folders"]);
});

it("offers open work, pending questions, and everything below an id", async () => {
  const directory = await filledRepository(async (store) => {
    await openWork(store, "US-1");
    await openWork(store, "US-2");
    await store.admit({
      parent: "US-1",
      parentAttempt: 1,
      requests: [{ description: "Part\nwith\u001B[31m" }],
    });
    await ask(store, "US-2", { kind: "clarification", question: "npm or pnpm?" });
  });
  expect(await complete(directory, "explain", "US-1-")).toEqual(["US-1-DEL-001"]);
  expect(await complete(directory, "approve", "")).toEqual(["US-2"]);
  expect(await complete(temporaryFolder(), "-C", directory, "status", "US")).toEqual(["US-2", "US-1"]);
  const whole = await completeWords({ words: ["stop", "US-1-"], directory, environment: {} });
  expect(whole).toBe("");
  const about = await completeWords({ words: ["logs", "US-1-"], directory, environment: {} });
  expect(about).toBe("US-1-DEL-001\tPart with");
});

it("offers nothing from a broken task list or store, and only the valid tasks of a damaged list", async () => {
  const directory = temporaryRepository({ "specs/state.json": "{", ".git/ambit/ambit.db": "no database" });
  expect(await complete(directory, "task", "show", "")).toEqual([""]);
  expect(await complete(directory, "status", "")).toEqual([""]);
  writeFileSync(join(directory, "specs/state.json"), '{"active_projects": [1, {"project_number": "7"}]}');
  expect(await complete(directory, "task", "show", "")).toEqual(["7"]);
});

it("never fails, and never offers a text that a shell would split", async () => {
  const directory = temporaryRepository();
  const word = fc.oneof(fc.string(), fc.constantFrom("run", "task", "--agent", "-C", "--", "=", "show", "-"));
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (words) => {
      for (const offered of await complete(directory, ...words))
        expect(offered).toMatch(/^(?::files|:folders|[^\s:]*)$/);
    }),
    { numRuns: 200 },
  );
});
