import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkCompleted, checkNothingRuns, fileOn, same } from "../harness/checks.ts";
import type { Document, Machine } from "../harness/machine.ts";
import { runsFolder } from "../harness/places.ts";
import type { Scenario } from "../harness/scenario.ts";
import { handIn, type Step } from "./scripts.ts";

const PART = "begun\n";
const begin: Step = { write: { path: "part.txt", text: PART } };
const finish = handIn("part.txt");

export const refusedKey: Scenario = {
  name: "refused-key",
  about: "the provider does not know its key: the story says so, what was done before is kept",
  shape: "alone",
  play: async ({ manager, open }) => {
    const message = "invalid api key";
    const machine = await open({
      scripts: { manager: [begin, { error: { status: 401, message } }, finish] },
    });
    await runInto(machine, manager.name, { code: "AGENT_NOT_LOGGED_IN", status: 6 });
    same(fileOn(machine, "delegation/S-1", "part.txt"), PART, "part.txt on delegation/S-1");
  },
};

export const rateLimit: Scenario = {
  name: "rate-limit",
  about: "the account is full for a moment: the story waits and completes",
  shape: "alone",
  play: async ({ manager, open }) => {
    const error = {
      status: 429,
      message: "rate limit reached, try again in 1s",
      retryAfterSeconds: 1,
      times: 4,
    };
    const turns = [{ steps: [begin, { error }, finish] }, { steps: [finish] }];
    const machine = await open({ scripts: { manager: { turns } } });
    const run = await machine.json("run", "Ask often @@S:manager", "--agent", manager.name, "--id", "S-1");
    checkCompleted(machine, run, { "part.txt": PART });
    await checkNothingRuns(machine);
  },
};

export const cutStream: Scenario = {
  name: "cut-stream",
  about: "every answer breaks off: the story fails with a code, what was done before is kept",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({
      scripts: { manager: [begin, { text: "I was about to say", cut: { afterEvents: 2 } }] },
    });
    await runInto(machine, manager.name, { code: "PROVIDER_FAILED", status: 3 });
    same(fileOn(machine, "delegation/S-1", "part.txt"), PART, "part.txt on delegation/S-1");
  },
};

export const garbage: Scenario = {
  name: "garbage",
  about: "a program under its name that prints no events and exits with 0 is no success",
  shape: "alone",
  play: async ({ manager, open }) => {
    const programs = fakeProgram("garbage", manager.name, [
      "head -c 3000 /dev/urandom",
      'echo "{ not json"',
      "exit 0",
    ]);
    const machine = await open({ scripts: {}, programs });
    await runInto(machine, manager.name, { code: "AGENT_STREAM_BROKEN", status: 1 });
  },
};

export const tooOld: Scenario = {
  name: "too-old",
  about: "a program that does not know our options: the story repeats what it said",
  shape: "alone",
  play: async ({ manager, open }) => {
    const programs = fakeProgram("too-old", manager.name, [
      'echo "error: unexpected argument" >&2',
      "exit 2",
    ]);
    const machine = await open({ scripts: {}, programs });
    const { summary } = await runInto(machine, manager.name, { code: "AGENT_STREAM_BROKEN", status: 1 });
    check(String(summary).includes("unexpected argument"), `the reason is missing: ${summary}`);
  },
};

function fakeProgram(scenario: string, name: string, lines: readonly string[]): readonly string[] {
  const folder = join(runsFolder, `fake-${scenario}-${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), ["#!/bin/sh", ...lines, ""].join("\n"));
  chmodSync(join(folder, name), 0o755);
  return [folder];
}

export const missing: Scenario = {
  name: "missing",
  about: "its program is not on this machine: the story says so before anything is spent",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({ scripts: {}, programs: [] });
    await runInto(machine, manager.name, { code: "AGENT_NOT_INSTALLED", status: 6 });
  },
};

async function runInto(
  machine: Machine,
  agent: string,
  expected: { readonly code: string; readonly status: number },
): Promise<Document> {
  const { status, document } = await machine.json(
    "run",
    "Do it @@S:manager",
    "--agent",
    agent,
    "--id",
    "S-1",
  );
  // What is refused before it starts is an error of the command; what fails later, the end of the story.
  const code: unknown = document["code"] ?? document["error"]?.code;
  same(code, expected.code, `code (${document["outcome"]}: ${String(document["summary"]).slice(0, 200)})`);
  same(status, expected.status, "exit status");
  await checkNothingRuns(machine);
  return document;
}
