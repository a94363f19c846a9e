import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until, type Project } from "../e2e/project.ts";
import { runCli, type CliResult } from "../e2e/run-cli.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

/** A worker that does its first part, waits until the test lets it go, and does its second. */
export interface WaitingWorker {
  readonly ended: Promise<CliResult>;
  readonly isWaiting: () => Promise<void>;
  readonly letGo: () => void;
  readonly remove: () => void;
}

export interface WorkerScript {
  readonly id: string;
  readonly first?: string;
  readonly second?: string;
  /** More words for `ambit run`. */
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The files it waits with lie outside the project, so that no fault there touches them. */
export function startWorker(project: Project, script: WorkerScript): WaitingWorker {
  const folder = mkdtempSync(join(tmpdir(), "ambit-worker-"));
  const isHere = join(folder, "here");
  const go = join(folder, "go");
  const line = [
    script.first ?? ":",
    `: > ${isHere}`,
    // Bounded, so that a failed test leaves nothing running.
    `for i in $(seq 600); do [ -e ${go} ] && break; sleep 0.05; done`,
    script.second ?? ":",
  ].join("; ");
  const words = ["run", `Story ${script.id}`, "--id", script.id, ...(script.words ?? [])];
  const ended = runAmbit(project, [...words, "--", "sh", "-c", line], script.environment);
  return {
    ended,
    isWaiting: () => until(`${script.id} waits`, () => existsSync(isHere)),
    letGo: () => writeFileSync(go, ""),
    remove: () => removeFolder(folder),
  };
}

/** As `project.ambit`, with more in the environment. */
export function runAmbit(
  project: Project,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return runCli(words, {
    directory: project.root,
    home: join(project.root, "..", "home"),
    environment: { AMBIT_IDLE_MS: "400", TERM: "xterm", ...environment },
  });
}
