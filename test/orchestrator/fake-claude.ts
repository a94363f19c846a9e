import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Project } from "../e2e/project.ts";

/** One run of a program that speaks as Claude Code does. */
export interface FakeRun {
  /** Written into its folder first. */
  readonly writes?: Readonly<Record<string, string>>;
  /** A shell line that it runs then. */
  readonly shell?: string;
  /** Printed as they are; objects as a line of JSON. */
  readonly prints: readonly (object | string)[];
  /** The summary of a return it leaves. */
  readonly returns?: string;
  readonly exit?: number;
  /** Ends itself by this signal. */
  readonly dies?: "SIGKILL";
}

const program = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { execSync } from "node:child_process";
import { dirname } from "node:path";
const folder = process.argv[2];
readFileSync(0, "utf8");
if (process.argv.includes("--version")) { console.log("2.1.325 (Claude Code)"); process.exit(0); }
appendFileSync(folder + "/runs", JSON.stringify(process.argv.slice(3)) + "\\n");
const plan = JSON.parse(readFileSync(folder + "/plan.json", "utf8"));
const number = readFileSync(folder + "/runs", "utf8").split("\\n").length - 1;
const run = plan[Math.min(number, plan.length) - 1];
for (const [path, text] of Object.entries(run.writes ?? {})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
if (run.shell !== undefined) execSync(run.shell, { stdio: ["ignore", "inherit", "inherit"] });
let output = "";
for (const line of run.prints) output += (typeof line === "string" ? line : JSON.stringify(line)) + "\\n";
if (run.returns !== undefined) {
  const file = process.env.AMBIT_RETURN_FILE;
  const metadata = JSON.parse(process.env.AMBIT_RETURN_METADATA);
  writeFileSync(file, JSON.stringify({ status: "completed", summary: run.returns, artifacts: [], metadata }));
}
process.stdout.write(output, () => {
  if (run.dies !== undefined) process.kill(process.pid, run.dies);
  else process.exit(run.exit ?? 0);
});
`;

/** Makes it; the last run is repeated when it is started more often than there are runs. Answers how to start it. */
export function fakeClaude(project: Project, name: string, runs: readonly FakeRun[]): readonly string[] {
  const folder = join(dirname(project.root), "fake-claude", name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "agent.mjs");
  writeFileSync(file, program);
  writeFileSync(join(folder, "plan.json"), JSON.stringify(runs));
  return [process.execPath, file, folder];
}

/** The arguments of each run of one that is installed. */
export function runsOf(project: Project, name: string): readonly (readonly string[])[] {
  const file = join(dirname(project.root), "fake-claude", `installed-${name}`, "runs");
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The same under a name on a PATH of its own; answers the folder. */
export function installFake(project: Project, name: string, runs: readonly FakeRun[]): string {
  const [node = "", file = "", folder = ""] = fakeClaude(project, `installed-${name}`, runs);
  const programs = join(dirname(project.root), "programs");
  mkdirSync(programs, { recursive: true });
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\nexec '${node}' '${file}' '${folder}' "$@"\n`);
  chmodSync(path, 0o755);
  return programs;
}

export const said = {
  init: { type: "system", subtype: "init", session_id: "session-1" },
  text: (text: string) => ({
    type: "assistant",
    message: { id: "m1", model: "claude-sonnet-4-5", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
  }),
  calls: (name: string) => ({
    type: "assistant",
    message: {
      id: "m2",
      model: "claude-sonnet-4-5",
      content: [{ type: "tool_use", id: "t1", name, input: {} }],
    },
    parent_tool_use_id: null,
  }),
  toolResult: (content: string) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "t1", content }] },
  }),
  result: (result: string, more: object = {}) => ({
    type: "result",
    subtype: "success",
    is_error: false,
    result,
    ...more,
  }),
} as const;
