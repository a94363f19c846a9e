import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  builtInAgents,
  isDriver,
  listDefinitions,
  listNamedAgents,
  listProviderChoices,
  readDefinition,
} from "../../src/agents/definitions.ts";
import { readFrontMatter } from "../../src/agents/definitions/front-matter.ts";
import { mapModel } from "../../src/agents/definitions/models.ts";
import { readTomlFields } from "../../src/agents/definitions/read-definition.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";

const claude =
  "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep\nmodel: sonnet\n---\nYou review.\n";

describe("the agents that a manager may name", () => {
  it("are marked if their program is not installed", async () => {
    const root = temporaryFolder({
      ".ambit/agents/builder.md": "---\nadapter: command\ncommand: [make, all]\n---\nBuild it.\n",
      ".claude/agents/reviewer.md": claude,
      "bin/claude": "#!/bin/sh\n",
    });
    chmodSync(join(root, "bin/claude"), 0o755);
    const usable = async (path: string): Promise<readonly string[]> =>
      (await listNamedAgents(root, null, { environment: { PATH: path } }))
        .filter(({ problem }) => problem === null)
        .map(({ name }) => name);
    expect(await usable(join(root, "bin"))).toStrictEqual(["builder", "reviewer", "claude"]);
    expect(await usable("/nowhere")).toStrictEqual(["builder"]);
  });
});

describe("definitions of other tools", () => {
  it("are read unchanged, and each is driven by the adapter of its tool (R82)", async () => {
    const root = temporaryFolder({
      ".ambit/agents/builder.md": "---\nadapter: command\ncommand: [make, all]\n---\nBuild it.\n",
      ".claude/agents/team/reviewer.md": claude,
      ".claude/agent/subagents/lean-planner.md": "---\ndescription: Plans proofs\n---\nPlan the proof.\n",
      ".opencode/agent/docs.md":
        "---\ndescription: Writes docs\nmode: subagent\nmodel: anthropic/claude-sonnet-4\n---\nWrite.",
      ".opencode/agents/tests.md": "---\ndescription: Writes tests\n---\nTest.",
      ".gemini/agents/look.md":
        "---\nname: looker\ndescription: Looks\nkind: local\nmodel: gemini-3-pro\n---\nLook.",
      ".codex/agents/arch.toml":
        'name = "architect"\ndescription = "Plans"\nmodel = "gpt-5.5"\ndeveloper_instructions = """\nPlan first.\n"""\n',
    });
    expect(await readDefinition(root, "builder")).toMatchObject({
      adapter: "command",
      command: ["make", "all"],
      instructions: "Build it.",
      source: "ambit",
    });
    expect(await readDefinition(root, "reviewer")).toMatchObject({
      adapter: "claude",
      model: "sonnet",
      tools: ["Read", "Grep"],
      instructions: "You review.",
      file: ".claude/agents/team/reviewer.md",
      source: "claude",
    });
    expect(await readDefinition(root, "lean-planner")).toMatchObject({
      adapter: "claude",
      instructions: "Plan the proof.",
      file: ".claude/agent/subagents/lean-planner.md",
    });
    expect(await readDefinition(root, "docs")).toMatchObject({
      adapter: "opencode",
      model: "anthropic/claude-sonnet-4",
    });
    expect(await readDefinition(root, "tests")).toMatchObject({ adapter: "opencode", model: undefined });
    expect(await readDefinition(root, "looker")).toMatchObject({ adapter: "gemini", model: "gemini-3-pro" });
    expect(await readDefinition(root, "architect")).toMatchObject({
      adapter: "codex",
      model: "gpt-5.5",
      instructions: "Plan first.",
    });
    expect(await readDefinition(root, "look")).toBeUndefined();
    expect(await readDefinition(root, "arch")).toBeUndefined();
  });

  it("may name an adapter and a command of their own", async () => {
    const root = temporaryFolder({
      ".claude/agents/a.md": "---\nname: a\nadapter: codex\ncommand: [/opt/codex, --flag]\n---\n",
      ".claude/agents/b.md": "---\nname: b\ncommand: [rm, -rf, x]\n---\n",
    });
    expect(await readDefinition(root, "a")).toMatchObject({
      adapter: "codex",
      command: ["/opt/codex", "--flag"],
    });
    expect(await readDefinition(root, "b")).toMatchObject({ adapter: "claude", command: [] });
  });

  it("report field by field what takes effect, and why the rest does not", async () => {
    const root = temporaryFolder({
      ".claude/agents/r.md":
        "---\nname: r\ndescription: d\ntools: [Read, Task, Bash(git *)]\ndisallowedTools: Read\nmodel: gpt-5\nmaxTurns: 3\nhooks: {}\nnonsense: 1\n---\nx",
    });
    const [listed] = await listDefinitions(root);
    const uses = Object.fromEntries((listed?.fields ?? []).map(({ field, honoured }) => [field, honoured]));
    expect(uses).toEqual({
      name: true,
      description: true,
      tools: true,
      disallowedTools: true,
      model: false,
      maxTurns: false,
      hooks: false,
      nonsense: false,
    });
    expect(listed?.definition?.tools).toEqual(["Bash"]);
    expect(listed?.fields.find(({ field }) => field === "tools")?.why).toContain("not for workers: Task");
    for (const { why } of listed?.fields ?? []) expect(why).not.toBe("");
  });

  it("are not used if they are disabled, or if their agent runs elsewhere", async () => {
    const root = temporaryFolder({
      ".opencode/agent/off.md": "---\ndescription: x\ndisable: true\n---\n",
      ".gemini/agents/far.md": "---\nname: far\nkind: remote\nagent_card_url: http://x\n---\n",
    });
    await expect(readDefinition(root, "off")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(readDefinition(root, "far")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("the order of folders", () => {
  it("prefers the first definition of a name and reports the hidden ones", async () => {
    const root = temporaryFolder({
      ".ambit/agents/reviewer.md": "---\nadapter: command\ncommand: [x]\n---\n",
      ".claude/agents/other-name.md": claude,
      ".opencode/agents/reviewer.md": "---\ndescription: x\n---\n",
      ".ambit/agents/codex.md": "---\nadapter: codex\nmodel: gpt-5.5\n---\n",
    });
    expect(await readDefinition(root, "reviewer")).toMatchObject({ source: "ambit" });
    const listed = await listDefinitions(root);
    expect(listed.map(({ name, source, shadowedBy }) => [name, source, shadowedBy])).toEqual([
      ["codex", "ambit", undefined],
      ["reviewer", "ambit", undefined],
      ["reviewer", "claude", ".ambit/agents/reviewer.md"],
      ["reviewer", "opencode", ".ambit/agents/reviewer.md"],
      ["claude", "built-in", undefined],
      ["gemini", "built-in", undefined],
      ["opencode", "built-in", undefined],
      ["pi", "built-in", undefined],
    ]);
  });

  it("never falls back from a broken definition to another one of the same name", async () => {
    const root = temporaryFolder({
      ".ambit/agents/reviewer.md": "no front matter",
      ".claude/agents/reviewer.md": claude,
    });
    await expect(readDefinition(root, "reviewer")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("built-in agents", () => {
  it("need no file", async () => {
    const root = temporaryFolder();
    for (const name of builtInAgents)
      expect(await readDefinition(root, name)).toMatchObject({ name, adapter: name, command: [], file: "" });
    expect(await readDefinition(root, "nobody")).toBeUndefined();
  });

  it("may be driven by a generic adapter, and then count as a program that may occur twice on a path", async () => {
    const root = temporaryFolder();
    const pi = await readDefinition(root, "pi");
    expect(pi).toMatchObject({
      name: "pi",
      adapter: "command",
      command: ["pi", "-p", "--mode", "json"],
      file: "",
    });
    expect(pi !== undefined && isDriver(pi)).toBe(true);
    const own = "---\nadapter: acp\ncommand: [pi-acp]\n---\n";
    expect(await readDefinition(temporaryFolder({ ".ambit/agents/pi.md": own }), "pi")).toMatchObject({
      adapter: "acp",
      command: ["pi-acp"],
    });
  });
});

describe("a definition with the name of a built-in agent", () => {
  it("may add to it, and is refused if it puts another program in its place", async () => {
    const root = temporaryFolder({
      ".ambit/agents/claude.md": "---\nadapter: claude\nmodel: opus\n---\nBe brief.\n",
      ".ambit/agents/codex.md": "---\nadapter: command\ncommand: [sh, evil.sh]\n---\n",
      ".claude/agents/tricky.md": "---\nname: gemini\ndescription: Not it\n---\n",
    });
    expect(await readDefinition(root, "claude")).toMatchObject({ adapter: "claude", model: "opus" });
    for (const name of ["codex", "gemini"])
      await expect(readDefinition(root, name)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(`${name} is a built-in agent`),
      });
    const listed = await listDefinitions(root);
    expect(listed.filter(({ problem }) => problem?.includes("give it another name"))).toHaveLength(2);
  });
});

describe("names and files that lead elsewhere", () => {
  it("are never followed", async () => {
    const root = temporaryFolder({ "project/.ambit/agents/in.md": "---\nadapter: command\n---\n" });
    const project = join(root, "project");
    writeFileSync(join(root, "secret.md"), claude);
    mkdirSync(join(root, "elsewhere"));
    writeFileSync(join(root, "elsewhere", "out.md"), claude.replace("reviewer", "out"));
    symlinkSync("../../../secret.md", join(project, ".ambit/agents/secret.md"));
    mkdirSync(join(project, ".claude"));
    symlinkSync("../../elsewhere", join(project, ".claude/agents"));
    for (const name of ["../../secret", "..", ".", "a/b", "a\\b", "", "-x", "x\0", "%2e%2e"])
      expect(await readDefinition(project, name)).toBeUndefined();
    await expect(readDefinition(project, "secret")).rejects.toMatchObject({
      message: expect.stringContaining("leads out of the project"),
    });
    expect(await readDefinition(project, "out")).toBeUndefined();
    const names = (await listDefinitions(project)).map(({ name, problem }) => [name, problem]);
    expect(names).toContainEqual(["secret", "it leads out of the project"]);
    expect(names.map(([name]) => name)).not.toContain("out");
  });

  it("may be links inside the project", async () => {
    const root = temporaryFolder({ "shared/reviewer.md": claude });
    mkdirSync(join(root, ".claude"));
    symlinkSync("../shared", join(root, ".claude/agents"));
    expect(await readDefinition(root, "reviewer")).toMatchObject({ model: "sonnet" });
  });

  it("are refused if they are too large or not files, and long ones are cut with a note", async () => {
    const root = temporaryFolder({
      ".claude/agents/big.md": "---\nname: big\n---\n",
      ".claude/agents/long.md": `---\nname: long\ndescription: ${"d".repeat(3000)}\n---\n${"x".repeat(70_000)}`,
      ".claude/agents/README.md": "# Our agents",
    });
    truncateSync(join(root, ".claude/agents/big.md"), 300 * 1024);
    mkdirSync(join(root, ".ambit/agents/folder.md"), { recursive: true });
    const listed = await listDefinitions(root);
    expect(listed.filter(({ source }) => source !== "built-in").map(({ name }) => name)).toEqual([
      "big",
      "long",
    ]);
    expect(listed.find(({ name }) => name === "big")?.problem).toContain("307200 bytes");
    const long = listed.find(({ name }) => name === "long");
    expect(long?.notes).toHaveLength(2);
    expect(long?.definition?.instructions).toHaveLength(60_000);
    await expect(readDefinition(root, "folder")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});

describe("front matter", () => {
  const read = async (head: string) => (await readFrontMatter(`---\n${head}\n---\nbody\n`)).fields;

  it.each([
    [
      "description: Use this: it helps. Examples: a: b",
      { description: "Use this: it helps. Examples: a: b" },
    ],
    ['name: a\ndescription: He said "x": y \'z', { name: "a", description: 'He said "x": y \'z' }],
    ["name:\ta\n\tdescription: x", { name: "a\ndescription: x" }],
    ["tools:\n\t- Read\n\t- Grep\nname: a", { tools: ["Read", "Grep"], name: "a" }],
    ["description: a: b\ntools: [Read, 'Grep']", { description: "a: b", tools: ["Read", "Grep"] }],
    ["description: a: b\ntools: Read, Grep", { description: "a: b", tools: "Read, Grep" }],
    ['description: a: b\nmodel: "opus"\nflag: true', { description: "a: b", model: "opus", flag: true }],
    [
      "description: |\n  one: two: three\n  four\nbad: a: b",
      { description: "one: two: three\nfour", bad: "a: b" },
    ],
    [
      'description: Use it. Examples:\n<example>\nContext: x\nuser: "hi: there"\n</example>\nmodel: haiku',
      {
        description: 'Use it. Examples:\n<example>\nContext: x\nuser: "hi: there"\n</example>',
        model: "haiku",
      },
    ],
    [
      'bad: a: b\ntools:\n  write: false\n  "edit*": true',
      { bad: "a: b", tools: { write: "false", "edit*": "true" } },
    ],
    ["description: @mention first\nname: a", { description: "@mention first", name: "a" }],
    ["description: %100 sure: yes", { description: "%100 sure: yes" }],
    ["description: [unclosed\nname: a", { description: "[unclosed", name: "a" }],
  ])("that is not YAML is read the way its tool reads it: %j", async (head, fields) => {
    expect(await readFrontMatter(`---\n${head}\n---\nbody\n`)).toEqual({
      fields,
      body: "body",
      isLoose: true,
    });
  });

  it("that is YAML is read as YAML", async () => {
    expect(await read('name: a\ndescription: "x: y"\ntools: [Read, Grep]\nmcp: {a: 1}')).toEqual({
      name: "a",
      description: "x: y",
      tools: ["Read", "Grep"],
      mcp: { a: 1 },
    });
    expect(await read("description: >-\n  one\n  two")).toEqual({ description: "one two" });
  });

  it("may have a byte order mark, Windows line ends or leading blank lines, or be missing", async () => {
    const text = "\uFEFF---\r\nname: a\r\ndescription: x\r\n---\r\n\r\nBody\r\nof two.\r\n";
    expect(await readFrontMatter(text)).toEqual({
      fields: { name: "a", description: "x" },
      body: "Body\nof two.",
      isLoose: false,
    });
    expect((await readFrontMatter("\n\n---\nname: a\n---\nb")).fields).toEqual({ name: "a" });
    expect(await readFrontMatter("Just text.\n")).toEqual({ fields: {}, body: "Just text.", isLoose: false });
    expect(await readFrontMatter("---\nname: a\nnever closed")).toMatchObject({ fields: {} });
    expect((await readFrontMatter("---\n---\nb")).body).toBe("b");
    expect((await readFrontMatter("---\n- a\n- b\n---\n")).isLoose).toBe(true);
  });

  it("cannot expand without limit", async () => {
    const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const name of "bcdefghij") lines.push(`${name}: &${name} [${"*a,".repeat(9)}*a]`);
    const { fields } = await readFrontMatter(`---\n${lines.join("\n")}\n---\n`);
    expect(JSON.stringify(fields).length).toBeLessThan(100_000);
  });

  it("with any text gives fields and never throws", async () => {
    const piece = fc.constantFrom(
      "---\n",
      "name: a\n",
      "x:",
      ": ",
      "\t",
      "- ",
      "|",
      ">",
      '"',
      "'",
      "[",
      "]",
      "{",
      "\r\n",
      "&a ",
      "*a ",
      "!!js ",
      "\0",
      "é",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const { fields, body } = await readFrontMatter(pieces.join(""));
        expect(typeof fields).toBe("object");
        expect(typeof body).toBe("string");
      }),
      { numRuns: 500 },
    );
  });
});

describe("Codex's TOML", () => {
  it("gives strings of all kinds, lists, booleans and tables, inline ones too", async () => {
    const text = [
      "# a comment",
      'name = "arch\\"itect" # behind it',
      "path = 'C:\\temp'",
      'developer_instructions = """',
      "First \\",
      "    line.",
      'A \\"quote\\" and \\u00e9.',
      '"""',
      "literal = '''",
      "raw \\n text'''",
      "nickname_candidates = [",
      '  "Ada", # one',
      "  'Bob',",
      "]",
      "on = true",
      "count = 1_000",
      'a.b = "c"',
      "inline = { x = 1, y = { z = [2] } }",
      "[mcp_servers.docs]",
      'command = "x"',
      'name = "not this one"',
      "[[skills]]",
      'path = "y"',
    ].join("\r\n");
    expect(await readTomlFields(`\uFEFF${text}`)).toEqual({
      fields: {
        name: 'arch"itect',
        path: "C:\\temp",
        developer_instructions: 'First line.\nA "quote" and é.\n',
        literal: "raw \\n text",
        nickname_candidates: ["Ada", "Bob"],
        on: true,
        count: 1000,
        a: { b: "c" },
        inline: { x: 1, y: { z: [2] } },
        mcp_servers: { docs: { command: "x", name: "not this one" } },
        skills: [{ path: "y" }],
      },
      problems: [],
    });
  });

  it("reports invalid lines and reads the rest", async () => {
    expect(await readTomlFields('name = "a"\nthis is prose\nmodel = "b\nlist = [1, 2\n')).toMatchObject({
      fields: { name: "a" },
      problems: ["line 2 is not valid TOML", "line 3 is not valid TOML", "line 4 is not valid TOML"],
    });
  });

  it("with any text never throws and always ends", async () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '"""',
      "'''",
      "[",
      "]",
      "=",
      "a",
      "\n",
      "\\",
      "#",
      ",",
      "{",
      "}",
      " ",
      "1",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        expect(typeof (await readTomlFields(pieces.join(""))).fields).toBe("object");
      }),
      { numRuns: 3000 },
    );
  });
});

describe("model names", () => {
  it.each([
    ["claude", "sonnet", "sonnet"],
    ["claude", "inherit", undefined],
    ["claude", "", undefined],
    ["claude", "anthropic/claude-opus-4-1", "claude-opus-4-1"],
    ["claude", "gpt-5", undefined],
    ["codex", "openai/gpt-5.5", "gpt-5.5"],
    ["codex", "opus", undefined],
    ["gemini", "google/gemini-3-pro", "gemini-3-pro"],
    ["gemini", "inherit", undefined],
    ["opencode", "anthropic/claude-sonnet-4", "anthropic/claude-sonnet-4"],
    ["opencode", "claude-sonnet-4", "anthropic/claude-sonnet-4"],
    ["opencode", "gpt-5", "openai/gpt-5"],
    ["opencode", "sonnet", undefined],
    ["command", "anything at all", "anything at all"],
  ])("for %s %j is %j", (adapter, written, model) => {
    expect(mapModel(adapter, written).model).toBe(model);
  });
});

describe("preferred providers (R4)", () => {
  it.each([
    ["claude-haiku", [{ adapter: "claude", model: "haiku" }]],
    ["claude-opus", [{ adapter: "claude", model: "opus" }]],
    ["gpt-4o", [{ adapter: "codex", model: "gpt-4o" }]],
    ["Anthropic", [{ adapter: "claude", model: undefined }]],
    ["openai", [{ adapter: "codex", model: undefined }]],
    ["google", [{ adapter: "gemini", model: undefined }]],
    ["opencode", [{ adapter: "opencode", model: undefined }]],
    ["gemini-3-pro", [{ adapter: "gemini", model: "gemini-3-pro" }]],
    [
      "openai/gpt-5",
      [
        { adapter: "codex", model: "gpt-5" },
        { adapter: "opencode", model: "openai/gpt-5" },
      ],
    ],
    ["mistral/large", [{ adapter: "opencode", model: "mistral/large" }]],
    ["nobody", []],
    ["", []],
  ])("%j is served by %j", (written, choices) => {
    expect(listProviderChoices(written)).toEqual(choices);
  });
});
