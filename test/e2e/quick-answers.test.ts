import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { storeFile } from "../../src/journal/store-file.ts";
import type { Store } from "../../src/journal/store.ts";
import { writeOwner } from "../../src/supervisor/project-owner.ts";
import { ask, filledRepository, openWork } from "../cli/commands/filled-repository.ts";
import { temporaryFolder, temporaryRepository } from "../cli/temporary-folder.ts";
import { start } from "../reports/fill-store.ts";
import { cli } from "./run-cli.ts";

const PRELOAD = resolve("test/e2e/loaded-modules.cjs");
const LINES = [["status"], ["status", "--all"], ["status", "--json"], ["list"], ["list", "--json"]] as const;

/** A story whose worker has written a line with a credential. */
async function writeRunningWork(store: Store): Promise<void> {
  await openWork(store, "US-1");
  await start(store, "US-1", { description: "part one" });
  await start(store, "US-1", { description: "part two" });
}

async function repositoryWithRunningWork(): Promise<string> {
  const directory = await filledRepository(writeRunningWork);
  const log = join(stateOf(directory), "logs", "US-1-DEL-001", "attempt-1", "stdout");
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, "first\nexport TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB and on\n");
  return directory;
}

function stateOf(directory: string): string {
  return dirname(storeFile(directory));
}

function writeDriver(directory: string): void {
  writeOwner(join(stateOf(directory), "supervisor.json"), "1.2.3");
}

/** Noted by a process that has ended. */
function writeDeadDriver(directory: string): void {
  writeDriver(directory);
  const file = join(stateOf(directory), "supervisor.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"start_time":\d+/, '"start_time":1'));
}

const states: Readonly<Record<string, () => string | Promise<string>>> = {
  "no repository": () => temporaryFolder(),
  "a repository without a story": () => temporaryRepository(),
  "work that a supervisor drives": async () => {
    const directory = await repositoryWithRunningWork();
    writeDriver(directory);
    return directory;
  },
  "work whose supervisor died": async () => {
    const directory = await repositoryWithRunningWork();
    writeDeadDriver(directory);
    return directory;
  },
  "questions, also of another story": () =>
    filledRepository(async (store) => {
      await writeRunningWork(store);
      await openWork(store, "US-2");
      await ask(store, "US-1-DEL-001", { kind: "scope" });
      await ask(store, "US-2", { kind: "clarification", question: "Which colour?\n白?" });
    }),
};

describe("the quick answers", () => {
  it.each(Object.entries(states))("are those of the whole program for %s (R143)", async (_name, make) => {
    const directory = await make();
    for (const words of LINES) {
      const quick = answer(directory, words);
      // A flag that changes nothing here makes it go the whole way. A second may end between the two.
      expect(maskTime(quick)).toStrictEqual(maskTime(answer(directory, [...words, "--no-input"])));
    }
  });

  it("show the newest output of a worker without its credentials", async () => {
    const directory = await repositoryWithRunningWork();
    const { stdout } = answer(directory, ["status"]);
    expect(stdout).toContain("part one: export TOKEN=[redacted] and on");
  });

  it.each(Object.keys(states).slice(1))("need neither the program nor a schema for %s", async (name) => {
    const directory = await states[name]?.();
    const loaded = join(temporaryFolder(), "loaded.json");
    for (const words of LINES) {
      execFileSync(process.execPath, ["--require", PRELOAD, cli, ...words], {
        cwd: directory,
        env: { LOADED_MODULES: loaded },
      });
      const { requests, schemas }: { requests: string[]; schemas: boolean } = JSON.parse(
        readFileSync(loaded, "utf8"),
      );
      expect(requests.filter((request) => /^\.\/(?:common|program)/.test(request))).toStrictEqual([]);
      expect(schemas).toBe(false);
    }
  });
});

function answer(directory: string, words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
    cwd: directory,
    env: { PATH: process.env["PATH"] },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function maskTime({ stdout, ...rest }: ReturnType<typeof answer>) {
  return { ...rest, stdout: stdout.replaceAll(/\d+[dhm]\d\d[hms]|"silent_seconds":\d+/g, "some time") };
}
