import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeProject, type Project } from "../e2e/project.ts";
import { cli } from "../e2e/run-cli.ts";

const samples = resolve("test/samples/agents");

/**
 * The agent CLIs of the guides, which need an account. Each prints what the real one printed once, does the work of the
 * example and leaves its return.
 */
const program = `
import { readFileSync, writeFileSync } from "node:fs";
const [transcript, version, ...words] = process.argv.slice(2);
if (words.includes("--version")) { console.log(version); process.exit(0); }
readFileSync(0, "utf8");
writeFileSync("sum.js", "module.exports = (a, b) => a + b;\\n");
const file = process.env.AMBIT_RETURN_FILE;
const metadata = JSON.parse(process.env.AMBIT_RETURN_METADATA);
writeFileSync(file, JSON.stringify({ status: "completed", summary: "Fixed the sum.", artifacts: [], metadata }));
process.stdout.write(readFileSync(transcript));
`;

const agents = {
  claude: ["claude-stream-json.jsonl", "2.1.325 (Claude Code)"],
  codex: ["codex-exec.jsonl", "codex-cli 0.166.0"],
  gemini: ["gemini-stream-json.jsonl", "0.52.0"],
  opencode: ["opencode-run.jsonl", "1.4.0"],
} as const;

export interface ReaderMachine {
  readonly project: Project;
  readonly environment: Readonly<Record<string, string>>;
}

/** A project with a failing test, and a PATH with ambit and the agents of the guides. */
export function prepareMachine(): ReaderMachine {
  const project = makeProject();
  const folder = dirname(project.root);
  const programs = join(folder, "programs");
  mkdirSync(programs);
  writeProgram(programs, "ambit", `exec '${process.execPath}' '${cli}' "$@"`);
  const agent = join(folder, "agent.mjs");
  writeFileSync(agent, program);
  for (const [name, [sample, version]] of Object.entries(agents))
    writeProgram(
      programs,
      name,
      `exec '${process.execPath}' '${agent}' '${join(samples, sample)}' '${version}' "$@"`,
    );
  installQwen(folder, programs);
  cpSync("examples", project.root, { recursive: true });
  mkdirSync(join(folder, "our-templates"));
  writeFileSync(join(folder, "our-templates", "release.md"), template);
  project.write("package.json", '{ "name": "reader", "scripts": { "test": "node test.js" } }\n');
  project.write("sum.js", "module.exports = (a, b) => a - b;\n");
  project.write("test.js", 'if (require("./sum.js")(1, 2) !== 3) throw new Error("1 + 2 is not 3");\n');
  project.git("rm", "--quiet", "ambit.yaml");
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "A project with a failing test");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(resolve("."), join(folder, "node_modules", "ambit"));
  const environment = {
    PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    LC_ALL: "C.UTF-8",
    TERM: "xterm",
    AMBIT_IDLE_MS: "400",
    GIT_AUTHOR_NAME: "Reader",
    GIT_AUTHOR_EMAIL: "reader@example.org",
    GIT_COMMITTER_NAME: "Reader",
    GIT_COMMITTER_EMAIL: "reader@example.org",
    // The files that the programs find when their user has logged in.
    ANTHROPIC_API_KEY: "key",
    CODEX_API_KEY: "key",
    GEMINI_API_KEY: "key",
  };
  return { project, environment };
}

/** The agent of the ACP guide: it speaks the protocol and does the same work. */
function installQwen(folder: string, programs: string): void {
  const write = { path: "sum.js", text: "module.exports = (a, b) => a + b;\n" };
  const returns = { status: "completed", summary: "Fixed the sum." };
  const scenario = join(folder, "qwen.json");
  const turns = [[{ write }, { returns }, { result: { stopReason: "end_turn" } }]];
  writeFileSync(scenario, JSON.stringify({ log: join(folder, "qwen.jsonl"), turns }));
  const agent = resolve("test/agents/acp/fake-agent.mjs");
  writeProgram(programs, "qwen", `exec '${process.execPath}' '${agent}' '${scenario}' "$@"`);
}

const template = `---
title: Release
summary: What we do for each release
parts:
  - name: notes
    description: Write the release notes for {story}
    hours: 2
---
Notes are for users.
`;

function writeProgram(folder: string, name: string, line: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}
