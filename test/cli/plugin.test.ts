import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { commands } from "../../src/cli/commands.ts";
import { isErrorCode } from "../../src/contract/error-code.ts";
import { tools } from "../../src/mcp/tools/tool-list.ts";

const root = resolve("plugin");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const readJson = (path: string): unknown => JSON.parse(read(path));
const { version, license } = z
  .object({ version: z.string(), license: z.string() })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

const manifestSchema = z.strictObject({
  name: z.literal("ambit"),
  version: z.literal(version),
  description: z.string().min(20).max(200),
  license: z.literal(license),
  keywords: z.array(z.string()),
});
/** Codex takes paths from the plugin's root only, beginning with `./`, and at most three short prompts. */
const codexSchema = manifestSchema.extend({
  skills: z.string().startsWith("./"),
  mcpServers: z.string().startsWith("./"),
  interface: z.strictObject({
    displayName: z.string(),
    shortDescription: z.string().max(80),
    longDescription: z.string(),
    category: z.string(),
    capabilities: z.array(z.string()),
    defaultPrompt: z.array(z.string().max(128)).max(3),
  }),
});
const serversSchema = z.strictObject({
  mcpServers: z.strictObject({ ambit: z.strictObject({ command: z.string(), args: z.array(z.string()) }) }),
});

/** Every file that an agent reads, with its front matter. */
const texts = [
  ...readdirSync(join(root, "skills")).map((name) => `skills/${name}/SKILL.md`),
  ...readdirSync(join(root, "commands")).map((name) => `commands/${name}`),
].map((path) => {
  const [, head = "", body = ""] = read(path).split(/^---$/m);
  return { path, head: z.record(z.string(), z.string()).parse(parse(head)), body };
});

describe("the plugin folder", () => {
  it("has a manifest for each program with the version of the package, and every file they name exists", () => {
    const claude = manifestSchema.parse(readJson(".claude-plugin/plugin.json"));
    const codex = codexSchema.parse(readJson(".codex-plugin/plugin.json"));
    expect(codex).toMatchObject(claude);
    expect(existsSync(join(root, codex.skills))).toBe(true);
    expect(readdirSync(join(root, ".codex-plugin"))).toEqual(["plugin.json"]);
    const { mcpServers } = serversSchema.parse(readJson(codex.mcpServers));
    expect(mcpServers.ambit).toEqual({ command: "ambit", args: ["mcp"] });
  });

  it("describes the purpose of each skill and command", () => {
    expect(texts.length).toBeGreaterThanOrEqual(5);
    for (const { path, head } of texts) {
      const [kind, name] = path.split("/");
      expect(head["description"]?.length ?? 0, path).toBeGreaterThan(20);
      expect(head["description"]?.length ?? 0, path).toBeLessThan(1024);
      if (kind === "skills") expect(head["name"]).toBe(name);
    }
  });

  it.each(texts)("names only commands, options, tools and codes that exist: $path", async ({ body }) => {
    const spans = [...body.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
    const lines = spans.filter((span) => span.startsWith("ambit "));
    for (const line of lines) expect(await explainLine(line.split(" ").slice(1)), line).toBe("exists");
    const names = spans.filter((span) => /^[a-z]+(?:_[a-z]+)*$/.test(span));
    const known = new Set([
      ...tools.map(({ name }) => name),
      ...fieldsOf(tools),
      "review-and-merge",
      "delegate",
    ]);
    for (const name of names) expect(known, name).toContain(name);
    for (const code of spans.filter((span) => /^[A-Z]+(?:_[A-Z]+)+$/.test(span)))
      expect(isErrorCode(code), code).toBe(true);
    const flags = spans.filter((span) => span.startsWith("--"));
    for (const flag of flags) expect(await someCommandTakes(flag), flag).toBe(true);
  });

  it("is checked by code that finds a command, an option or a field that does not exist (control)", async () => {
    expect(await explainLine(["frobnicate", "x"])).toBe("no command frobnicate");
    expect(await explainLine(["merge", "x", "--quietly"])).toBe("no option --quietly");
    expect(await explainLine(["mcp", "install", "claude"])).toBe("exists");
    expect(await someCommandTakes("--quietly")).toBe(false);
    expect(fieldsOf(tools)).toContain("file_scope");
    expect(fieldsOf(tools)).not.toContain("file_scopes");
  });
});

const globalFlags = new Set(["--yes", "--json", "--help"]);

async function registered(name: string): Promise<Command | undefined> {
  const entry = commands.find((one) => one.name === name);
  if (entry === undefined) return undefined;
  const command = new Command(name);
  (await entry.load()).register(command, () => async () => undefined);
  return command;
}

async function explainLine([name = "", ...words]: readonly string[]): Promise<string> {
  const command = await registered(name);
  if (command === undefined) return `no command ${name}`;
  const below = command.commands.find((one) => one.name() === words[0]) ?? command;
  const flag = words.find((word) => word.startsWith("--") && !takes(below, word));
  return flag === undefined ? "exists" : `no option ${flag}`;
}

function takes(command: Command, flag: string): boolean {
  return globalFlags.has(flag) || command.options.some(({ long }) => long === flag);
}

async function someCommandTakes(flag: string): Promise<boolean> {
  const all = await Promise.all(commands.map(({ name }) => registered(name)));
  return all.some((command) => command !== undefined && takes(command, flag));
}

/** Every field of every tool, at any depth. */
function fieldsOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const properties: unknown = Reflect.get(value, "properties");
  const own = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return [...own, ...Object.values(value).flatMap(fieldsOf)];
}
