import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until, type Project } from "../e2e/project.ts";
import { runCli, type CliResult } from "../e2e/run-cli.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

/** A worker that does its first part, waits until the test lets it go, and does its second. */
export interface WaitingWorker {
  readonly ended: Promise<CliResult>;
  readonly isWaiting: () => Promise<void>;
  /** Whether a process of it is alive; the command that started it does not count. */
  readonly isRunning: () => boolean;
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

/** The files that it waits for lie outside the project, so that no fault there affects them. */
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
    isRunning: () => listShells(go).length > 0,
    letGo: () => writeFileSync(go, ""),
    remove: () => removeFolder(folder),
  };
}

/** Processes that were started as `sh -c` with that word in their script. */
function listShells(word: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [program = "", , script = ""] = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return program.endsWith("sh") && script.includes(word);
    } catch {
      // The process has ended in the meantime.
      return false;
    }
  });
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
