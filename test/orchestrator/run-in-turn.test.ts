import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { runInTurn } from "../../src/orchestrator/checks/run-in-turn.ts";

let stateDirectory: string;

beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), "ambit-turn-"));
});

afterEach(() => {
  rmSync(stateDirectory, { recursive: true, force: true });
});

const take = (work: () => Promise<string>, signal?: AbortSignal): Promise<string> =>
  runInTurn({ stateDirectory, ifStopped: "stopped", signal }, work);

describe("checks of a project that take turns", () => {
  it("run one at a time in the order they came, also after one that failed", async () => {
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<string> => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === "a") throw new Error("broken");
      return name;
    };
    const all = await Promise.allSettled(["a", "b", "c"].map((name) => take(work(name))));
    expect(all.map(({ status }) => status)).toStrictEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(seen).toStrictEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("end at once if they are stopped while they wait, and never run afterwards", async () => {
    const abort = new AbortController();
    let release: (text: string) => void = () => undefined;
    let first = Promise.resolve("");
    await new Promise<void>((begin) => {
      first = take(
        () =>
          new Promise((resolve) => {
            release = resolve;
            begin();
          }),
      );
    });
    let hasRun = false;
    const second = take(async () => {
      hasRun = true;
      return "ran";
    }, abort.signal);
    abort.abort();
    expect(await second).toBe("stopped");
    release("done");
    expect(await first).toBe("done");
    expect(await take(async () => "third")).toBe("third");
    expect(hasRun).toBe(false);
  });

  it("hold a lock that other processes see, and free it", async () => {
    const file = join(stateDirectory, "checks.lock");
    const during = await take(async () => (tryExclusiveLock(file) === undefined ? "held" : "free"));
    expect(during).toBe("held");
    const lock = tryExclusiveLock(file);
    expect(lock).toBeDefined();
    lock?.release();
  });
});
