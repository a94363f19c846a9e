import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { cli, runCli } from "../e2e/run-cli.ts";
import { anthropic } from "./ask-model.ts";

const SCRIPTS = `# any YAML
scripts:
  work:
    - sh: ls
    - text: It is done.
`;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "ambit-model-server-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  writeFileSync(join(made, "scripts.yaml"), SCRIPTS);
  return made;
}

function start(directory: string, ...options: readonly string[]) {
  const words = [cli, "model-server", "--scripts", "scripts.yaml", ...options];
  const env = { PATH: process.env["PATH"], HOME: directory };
  const child = spawn(process.execPath, words, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it("serves until it is interrupted, and prints only its address on stdout", async () => {
  const directory = folder();
  const child = start(directory, "--log", "requests.jsonl");
  const stderr = text(child.stderr);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await once(reader, "line");
  const response = await anthropic.ask(lines[0] ?? "", { talk: ["@@S:work"], tools: ["Bash"] });
  expect(anthropic.answer(await response.json()).calls).toStrictEqual([
    { name: "Bash", arguments: { command: "ls" } },
  ]);
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(lines).toStrictEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
  expect(await stderr).toContain("1 requests answered");
  expect(JSON.parse(readFileSync(join(directory, "requests.jsonl"), "utf8"))).toMatchObject({
    script: "work",
  });
});

it("reports all requests with --json in one document at the end", async () => {
  const child = start(folder(), "--json");
  const stdout = text(child.stdout);
  const [url = ""] = await once(createInterface({ input: child.stderr }), "line");
  await fetch(`${url}/v1/models`);
  child.kill("SIGTERM");
  const document = JSON.parse(await stdout);
  expect(document).toMatchObject({ schema: "ambit/v1", url, requests: [{ kind: "models", status: 200 }] });
});

it.each([
  [["--scripts", "absent.yaml"], 2, "absent.yaml does not exist"],
  [[], 2, "--scripts is required"],
  [["--scripts", "broken.yaml"], 2, "is not valid YAML"],
  [["--scripts", "wrong.yaml"], 2, "scripts.work"],
  [["--scripts", "scripts.yaml", "--port", "x"], 2, "--port must be a whole number"],
] as const)("refuses %j", async (options, status, words) => {
  const directory = folder();
  writeFileSync(join(directory, "broken.yaml"), "scripts: [\n");
  writeFileSync(join(directory, "wrong.yaml"), "scripts: {work: [{wirte: x}]}\n");
  const result = await runCli(["model-server", ...options], { directory, home: directory });
  expect(result.stderr).toContain(words);
  expect(result.status).toBe(status);
  expect(result.stdout).toBe("");
});
