import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { randomBase36 } from "../../src/base/ids.ts";
import type {
  ContainedProcess,
  ContainmentEvent,
  ContainmentLimits,
  LaunchSpec,
} from "../../src/containment/contained-process.ts";
import { launchProcess, type LaunchOptions } from "../../src/containment/launch.ts";
import { killByToken } from "./hostile-agent.ts";

export const WIDE: ContainmentLimits = {
  timeoutMs: 60_000,
  softLimit: 0.9,
  graceMs: 200,
  idleWarnMs: 60_000,
  idleStopMs: 60_000,
  outputMaxBytes: 1024 * 1024,
  memoryMaxBytes: null,
  maxProcesses: null,
  cpuMaxSeconds: null,
};

type Settings = Partial<Omit<LaunchSpec, "limits">> & { readonly limits?: Partial<ContainmentLimits> };

export interface Launched extends ContainedProcess {
  readonly events: readonly ContainmentEvent[];
  readonly directory: string;
  readonly runId: string;
  /** Lines of stdout so far. */
  readonly lines: () => readonly string[];
  /** Resolves at the first event that `matches` accepts, even if that has already happened. */
  readonly seen: (matches: (event: ContainmentEvent) => boolean) => Promise<ContainmentEvent>;
  readonly ready: () => Promise<ContainmentEvent>;
}

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A name for a hostile agent. After the test every process with this name is killed, so that a failure leaves none. */
export function newToken(): string {
  const token = `zoo-${randomBase36(12)}`;
  cleanups.push(async () => killByToken(token));
  return token;
}

/** Launches with generous limits in a temporary folder. Nothing of it is left after the test, even if the test fails. */
export async function launchForTest(
  argv: readonly string[],
  settings: Settings = {},
  options: LaunchOptions = {},
): Promise<Launched> {
  const directory = mkdtempSync(join(tmpdir(), "ambit-launch-"));
  const events: ContainmentEvent[] = [];
  const waiting: {
    matches: (event: ContainmentEvent) => boolean;
    resolve: (event: ContainmentEvent) => void;
  }[] = [];
  const runId = `test-${randomBase36(16)}`;
  const { limits, onEvent, ...rest } = settings;
  const spec: LaunchSpec = {
    argv,
    cwd: directory,
    environment: { PATH: "/usr/bin:/bin" },
    logDirectory: join(directory, "logs"),
    runId,
    ...rest,
    limits: { ...WIDE, ...limits },
    onEvent: (event) => {
      events.push(event);
      for (const entry of waiting) if (entry.matches(event)) entry.resolve(event);
      onEvent?.(event);
    },
  };
  cleanups.push(async () => rmSync(directory, { recursive: true, force: true }));
  const contained = await launchProcess(spec, options);
  cleanups.unshift(async () => {
    await contained.stop("test is over", { graceMs: 0 });
  });
  const seen = (matches: (event: ContainmentEvent) => boolean): Promise<ContainmentEvent> => {
    const before = events.find(matches);
    if (before !== undefined) return Promise.resolve(before);
    return new Promise((resolve) => waiting.push({ matches, resolve }));
  };
  return {
    ...contained,
    events,
    directory,
    runId: spec.runId,
    seen,
    lines: () =>
      events.flatMap((event) => (event.kind === "line-read" && event.stream === "stdout" ? event.text : [])),
    ready: () => seen((event) => event.kind === "line-read" && event.text === "ready"),
  };
}

export const sh = (script: string): readonly string[] => ["/bin/sh", "-c", script];
