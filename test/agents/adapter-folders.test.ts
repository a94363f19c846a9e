import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInAgents } from "../../src/agents/agent-programs.ts";

const ADAPTERS = "src/agents/adapters";
const LIST = `${ADAPTERS}/agent-programs.ts`;

/** Every adapter of an agent CLI has these files, so that a reader of one knows where to look in all. */
const SHAPE = [
  "build.ts",
  "definitions.ts",
  "mcp-client.ts",
  "parse.ts",
  "probe.ts",
  "program.ts",
  "settle.ts",
  "user-folders.ts",
];

/** Only for a program whose requests can be redirected. */
const PROVIDER = "provider.ts";

/** Places that may name a CLI, its company's model or its provider's API, and why. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ["src/agents/acp/", "the client tolerates deviations of single agents and says whose they are"],
  ["src/agents/metering/", "the Gemini API, not the CLI"],
  ["src/agents/stream-json/provider-names.ts", "variables of model providers, which several programs read"],
  ["src/agents/definitions/models.ts", "model names in an example"],
  ["src/containment/build-environment.ts", "variables no process may inherit, checks included"],
  ["src/contract/delegation-request.ts", "model names in a published description"],
  ["src/app/doctor/course-symptoms.ts", "an example in advice to a person"],
  ["src/ledger/prices.ts", "a model name in an example"],
  ["src/testing/", "the Gemini API, not the CLI"],
  ["src/cli/commands/", "examples in help texts"],
]);

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join("src", name));

function isAllowed(file: string): boolean {
  return [...ALLOWED.keys()].some((place) => file.startsWith(place));
}

describe("an adapter of an agent CLI", () => {
  it.each(builtInAgents)("%s is one folder with the files all adapters have", (name) => {
    const files = readdirSync(join(ADAPTERS, name)).filter((file) => file !== PROVIDER);
    expect(files.toSorted()).toEqual(SHAPE);
  });

  it.each(builtInAgents)("%s is named only in its folder and in the list", (name) => {
    const word = new RegExp(name, "i");
    const elsewhere = sources.filter(
      (file) =>
        !file.startsWith(`${ADAPTERS}/${name}/`) &&
        file !== LIST &&
        !isAllowed(file) &&
        word.test(readFileSync(file, "utf8")),
    );
    expect(elsewhere).toEqual([]);
  });

  it("needs two lines in the list: the import and the entry", () => {
    const list = readFileSync(LIST, "utf8");
    for (const name of builtInAgents) expect(list.match(new RegExp(name, "gi"))).toHaveLength(3);
  });

  it("has no unused exception in the list of allowed places", () => {
    const words = new RegExp(builtInAgents.join("|"), "i");
    const unused = [...ALLOWED.keys()].filter(
      (place) => !sources.some((file) => file.startsWith(place) && words.test(readFileSync(file, "utf8"))),
    );
    expect(unused).toEqual([]);
  });
});
