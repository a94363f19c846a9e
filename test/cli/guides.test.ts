import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInAgents, listTestedVersions } from "../../src/agents/definitions.ts";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import { isErrorCode } from "../../src/contract/error-code.ts";
import { configKeys } from "../../src/contract/config-keys.ts";
import { commandLinesOf, problemWith } from "./command-lines.ts";

const FOLDER = "docs/guides";
const guides = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));

/** The guide of each agent that needs no definition. */
const ofAgent: Readonly<Record<string, string>> = {
  claude: "claude-code.md",
  codex: "codex.md",
  gemini: "gemini-cli.md",
  opencode: "opencode.md",
};

function read(guide: string): string {
  return readFileSync(join(FOLDER, guide), "utf8");
}

describe.each(guides)("docs/guides/%s", (guide) => {
  const text = read(guide);

  it("shows only commands that can be typed", async () => {
    const problems = await Promise.all(
      commandLinesOf(text).map(({ line, isNamed }) => problemWith(line, isNamed)),
    );
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it("names only existing codes and settings, and links only to existing files", () => {
    const codes = [...text.matchAll(/`([A-Z][A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = ""]) => code);
    const known = new Set([...codes.filter(isErrorCode), ...VARIABLES]);
    expect(codes.filter((code) => !known.has(code) && !isVariable(code))).toEqual([]);
    const settings = [...text.matchAll(/ambit config (?:set|get) ([\w.]+)/g)].map(([, key = ""]) => key);
    const keys = new Set(configKeys.map(({ key }) => key));
    expect(settings.filter((key) => !keys.has(key))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(FOLDER, dirname(guide), link)))).toEqual([]);
  });
});

const VARIABLES = [
  "AMBIT_PORT_BASE",
  "BASH_ENV",
  "CODEX_HOME",
  "HTTPS_PROXY",
  "JAVA_HOME",
  "LC_ALL",
  "LC_CTYPE",
  "NODE_OPTIONS",
  "RUSTUP_HOME",
];

/** Variables of agents and providers. */
function isVariable(name: string): boolean {
  return /^(?:ANTHROPIC|OPENAI|CODEX|CLAUDE|GEMINI|GOOGLE|GOOSE|KIMI|XAI|GROK|AMBIT|OTEL)_/.test(name);
}

describe("guides of agents", () => {
  it("exist for each agent that needs no definition, and for any other agent over ACP", () => {
    expect(Object.keys(ofAgent).toSorted()).toEqual([...builtInAgents].toSorted());
    expect(guides).toEqual(expect.arrayContaining([...Object.values(ofAgent), "acp.md"]));
  });

  it.each(Object.entries(ofAgent))("%s: describes what its adapter does", (name, guide) => {
    const text = read(guide);
    expect(text).toContain(`versions ${listTestedVersions(name) ?? ""}`);
    expect(text).toContain(`ambit agents check ${name}`);
    expect(text).toContain(`ambit mcp install ${name}`);
    const { capabilities } = createAdapterFinder(["ambit", "__worker"])(name);
    expect(text.includes("reported after every step")).toBe(capabilities.liveUsage);
    expect(text.includes("a budget is held by Ambit's proxy on this machine")).toBe(!capabilities.liveUsage);
    expect(capabilities.resume && capabilities.mcp).toBe(true);
  });
});
