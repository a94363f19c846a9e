import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "vitest";
import * as z from "zod";
import type {
  AgentEvent,
  BuiltRun,
  RunEnd,
  RunSpec,
} from "../../../src/agents/adapter-types/agent-adapter.ts";
import { acpAdapter } from "../../../src/agents/adapters/acp/adapter.ts";

const FAKE_AGENT = resolve("test/agents/acp/fake-agent.mjs");
const CLIENT = [process.execPath, resolve("dist/cli/main.cjs"), "__acp"] as const;

export const adapter = acpAdapter(CLIENT);

const wireSchema = z.looseObject({
  heard: z
    .looseObject({
      method: z.string().optional(),
      params: z.unknown().optional(),
      id: z.unknown().optional(),
    })
    .optional(),
  method: z.string().optional(),
  answer: z.unknown().optional(),
});

export interface ClientRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly AgentEvent[];
  readonly end: RunEnd;
  /** What the fake agent wrote down. */
  readonly wire: readonly z.infer<typeof wireSchema>[];
  /** The methods that the fake agent was asked for, in order. */
  readonly methods: readonly string[];
}

export interface StartedClient {
  readonly process: ChildProcess;
  readonly ended: Promise<ClientRun>;
  /** Resolves once the fake agent has written down a line with this text. */
  readonly heard: (text: string) => Promise<void>;
}

export interface Workshop {
  readonly folder: string;
  readonly cwd: string;
  readonly start: (scenario: object, more?: Partial<RunSpec>) => StartedClient;
  readonly run: (scenario: object, more?: Partial<RunSpec>) => Promise<ClientRun>;
  readonly build: (scenario: object, more?: Partial<RunSpec>) => BuiltRun;
}

/** Each test has a folder of its own with real files, the real client and a fake agent. */
export const it = test.extend<{ readonly workshop: Workshop }>({
  // oxlint-disable-next-line no-empty-pattern
  workshop: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-acp-"));
    const cwd = mkdtempSync(join(folder, "work-"));
    const build = (scenario: object, more: Partial<RunSpec> = {}): BuiltRun =>
      buildRun(folder, scenario, more);
    const started: StartedClient[] = [];
    const start = (scenario: object, more: Partial<RunSpec> = {}): StartedClient => {
      const client = startClient(folder, cwd, build(scenario, more));
      started.push(client);
      return client;
    };
    await use({ folder, cwd, build, start, run: (scenario, more) => start(scenario, more).ended });
    for (const { process: client } of started) client.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  },
});

function buildRun(folder: string, scenario: object, more: Partial<RunSpec>): BuiltRun {
  const log = join(folder, "wire.jsonl");
  const file = join(folder, "scenario.json");
  writeFileSync(file, JSON.stringify({ log, ...scenario }));
  writeFileSync(log, "");
  const built = adapter.build({ ...specOf(folder), command: [process.execPath, FAKE_AGENT, file], ...more });
  for (const { path, content } of built.files ?? []) writeFileSync(join(folder, path), content);
  return built;
}

export function specOf(folder: string): RunSpec {
  return {
    agent: "fake",
    prompt: "Do it",
    attempt: 1,
    turn: "begin",
    returnFile: join(folder, "return.json"),
    handoverFile: join(folder, "handover.md"),
    agentHome: folder,
    userHome: folder,
  };
}

function startClient(folder: string, cwd: string, built: BuiltRun): StartedClient {
  const [program = "", ...rest] = built.argv;
  const child = spawn(program, rest, {
    cwd,
    // Everything here lies in the temporary folder, which an agent may write.
    env: { PATH: process.env["PATH"], TMPDIR: join(folder, "temporary"), ...built.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const log = join(folder, "wire.jsonl");
  const ended = new Promise<ClientRun>((settle) => {
    child.once("close", (code, signal) => {
      const stdout = Buffer.concat(out).toString("utf8");
      const events = stdout.split("\n").flatMap((line) => adapter.parse(line));
      const wire = readWire(log);
      settle({
        code,
        stdout,
        stderr: Buffer.concat(errors).toString("utf8"),
        events,
        end: adapter.settle({ code, signal }, events),
        wire,
        methods: wire.flatMap(({ heard }) => heard?.method ?? []),
      });
    });
  });
  return { process: child, ended, heard: (text) => untilWritten(log, text, ended) };
}

function readWire(log: string): ClientRun["wire"] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => wireSchema.parse(JSON.parse(line)));
}

async function untilWritten(log: string, text: string, ended: Promise<ClientRun>): Promise<void> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  while (!readFileSync(log, "utf8").includes(text)) {
    if (hasEnded) throw new Error(`the client ended before the agent wrote ${text}`);
    await new Promise((next) => setTimeout(next, 10));
  }
}
