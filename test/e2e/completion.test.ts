import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { cli } from "./run-cli.ts";

let project: Project;
let environment: Record<string, string>;

beforeAll(async () => {
  project = makeProject();
  const programs = join(project.root, "..", "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "ambit"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(join(programs, "ambit"), 0o755);
  environment = {
    PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    HOME: join(project.root, "..", "home"),
    TERM: "xterm",
    LC_ALL: "C.UTF-8",
  };
  project.write(
    "specs/state.json",
    '{"active_projects": [{"project_number": 343, "project_name": "Parser"}]}',
  );
  project.write(".ambit/templates/release.yaml", "title: Release\nsummary: Each release\nguidance: Do it.\n");
  await project.ambit(
    "run",
    "A title: with words",
    "--id",
    "US-77",
    "--accept",
    "file a.txt exists",
    "--",
    "true",
  );
});

afterAll(() => project.remove());

/** What a program prints when all of its input is typed at once, into a terminal or into a pipe. */
async function typed(argv: readonly string[], input: string): Promise<string> {
  const [file = "", ...rest] = argv;
  const child = spawn(file, rest, { cwd: project.root, env: environment, timeout: 40_000 });
  child.stdin.end(input);
  const [stdout] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout;
}

function onTerminal(line: string, input: string): Promise<string> {
  return typed(["script", "-qec", line, "/dev/null"], input);
}

async function bashReplies(...words: string[]): Promise<readonly string[]> {
  const quoted = ["ambit", ...words].map((word) => `'${word}'`).join(" ");
  const lines = [
    "source <(ambit completion bash)",
    `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}`,
    "compopt() { printf 'files\\n'; }",
    `_ambit; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const output = await typed(["bash", "--norc", "-c", lines.join("\n")], "");
  return output.split("\n").filter((line) => line !== "");
}

it("completes commands, options and current values in bash", async () => {
  expect(await bashReplies("tem")).toEqual(["template"]);
  expect(await bashReplies("template", "sh")).toEqual(["show"]);
  expect(await bashReplies("template", "show", "rel")).toEqual(["release"]);
  expect(await bashReplies("status", "US")).toEqual(["US-77"]);
  expect(await bashReplies("task", "show", "3")).toEqual(["343"]);
  expect(await bashReplies("config", "get", "delegation.maxD")).toEqual([
    "delegation.maxDepth",
    "delegation.maxDelegationsPerStory",
  ]);
  expect(await bashReplies("run", "x", "--agent", "cla")).toEqual(["claude"]);
  expect(await bashReplies("run", "x", "--agent", "=", "cla")).toEqual(["claude"]);
  expect(await bashReplies("tree", "--format", "m")).toEqual(["mermaid"]);
  expect(await bashReplies("check", "return", "")).toEqual(["files"]);
  expect(await bashReplies("nonsense", "x")).toEqual(["files"]);
  expect(await bashReplies("reply", "US-77", "wo")).toEqual([]);
});

it("completes while typing in a real bash", async () => {
  const rc = "PS1='> '; source <(ambit completion bash)\n";
  const output = await onTerminal("bash --norc -i", `${rc}ambit template show rele\t\nexit\n`);
  expect(output).toContain("release: Release");
});

it("completes while typing in a real zsh", async () => {
  const rc = "PS1='> '; autoload -Uz compinit; compinit -D -u; source <(ambit completion zsh)\n";
  const output = await onTerminal("zsh -f -i", `${rc}ambit template show rele\t\nexit\n`);
  expect(output).toContain("release: Release");
});

it("completes in a real fish, with a description of each word", async () => {
  const ask = (line: string): Promise<string> =>
    typed(["fish", "--no-config", "-c", `ambit completion fish | source; complete -C '${line}'`], "");
  expect(await ask("ambit template show rele")).toBe("release\n");
  expect(await ask("ambit status US")).toBe("US-77\tA title: with words\n");
});

it("prints nothing and no error without a project, a store or valid input", async () => {
  const outside = spawn(process.execPath, [cli, "__complete", "status", ""], { cwd: "/", env: environment });
  const [stdout, stderr] = await Promise.all([text(outside.stdout), text(outside.stderr)]);
  expect([stdout.trim(), stderr]).toEqual(["", ""]);
});
