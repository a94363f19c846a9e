import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import {
  buildOutputSchema,
  outputCommands,
  outputFileName,
  outputFileNames,
} from "../../src/app/output-schemas.ts";
import { servers } from "../e2e/json-cases.ts";

it("publishes a schema for the --json output of every command, and no other", async () => {
  expect(outputCommands.toSorted()).toEqual((await answeringCommands()).toSorted());
});

/** The commands that give an answer. A command with subcommands answers through them; a server gives none. */
async function answeringCommands(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, alias = [], load } of commands) {
    const command = new Command(name);
    (await load()).register(command, () => () => Promise.resolve());
    const below = command.commands.map((child) => `${name} ${child.name()}`);
    if (below.length > 0) found.push(...below);
    else if (!servers.includes(name)) found.push(name, ...[alias].flat());
  }
  return found;
}

describe("schema/output", () => {
  it("contains one file for each answer and no other file; npm run schema writes them", () => {
    const expected = outputFileNames.map((name) => `${name}.json`);
    expect(readdirSync("schema/output").toSorted()).toEqual(expected.toSorted());
  });

  it.each(outputFileNames)("%s.json is up to date and valid for a strict schema reader", async (name) => {
    const committed: Record<string, unknown> = JSON.parse(readFileSync(`schema/output/${name}.json`, "utf8"));
    expect(committed).toEqual(await buildOutputSchema(name));
    const validate = new Ajv2020({ strictTypes: false }).compile(committed);
    expect(validate({}), "a document without its schema").toBe(false);
    expect(validate({ schema: "ambit/v2" })).toBe(false);
  });

  it("refuses a document of another command", async () => {
    const readAs = async (name: string) =>
      new Ajv2020({ strictTypes: false }).compile(await buildOutputSchema(name));
    const stopped = { schema: "ambit/v1", id: "US-1", stopped: true, outcome: "cancelled" };
    expect((await readAs(outputFileName("stop")))(stopped)).toBe(true);
    expect((await readAs(outputFileName("stop")))({ ...stopped, outcome: "gone" })).toBe(false);
    expect((await readAs(outputFileName("task list")))(stopped)).toBe(false);
    await expect(buildOutputSchema("unknown")).rejects.toThrow("unknown");
  });
});
