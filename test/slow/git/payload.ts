import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TemporaryRepository } from "../../workspace/temporary-repository.ts";

/** What a hostile worker has to work with: its own workspace, and the repository it shares with the user. */
export interface Stage {
  readonly project: TemporaryRepository;
  /** The worker's workspace. */
  readonly path: string;
  readonly commonDirectory: string;
  readonly adminDirectory: string;
  /** A shell command that proves that it ran. */
  readonly fire: string;
  /** A folder of the worker's own, outside the repository. */
  readonly lair: string;
}

export interface Payload {
  readonly name: string;
  /** What the worker leaves behind. */
  readonly plant: (stage: Stage) => void;
  /** An ordinary git command, without our defences, that runs it. */
  readonly control: (stage: Stage) => void;
  /** Poison for the environment of our own process. */
  readonly environment?: (stage: Stage) => Readonly<Record<string, string>>;
}

/** Git as somebody without our precautions would call it; failing is fine, what counts is what it starts. */
export function naive(stage: Stage, directory: string, ...words: string[]): void {
  try {
    execFileSync("git", ["-c", "user.name=w", "-c", "user.email=w@w", ...words], {
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "", HOME: stage.project.home, ...controlEnvironment },
      stdio: "ignore",
      timeout: 20_000,
    });
  } catch {
    // A payload may well break the command that runs it.
  }
}

const controlEnvironment: Record<string, string> = {};

/** Runs a control with names added to its environment. */
export function withEnvironment(names: Readonly<Record<string, string>>, work: () => void): void {
  Object.assign(controlEnvironment, names);
  try {
    work();
  } finally {
    for (const name of Object.keys(names)) delete controlEnvironment[name];
  }
}

export function put(folder: string, path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content, { mode });
}

export function config(stage: Stage, directory: string, ...pairs: string[]): void {
  for (let at = 0; at + 1 < pairs.length; at += 2)
    naive(stage, directory, "config", pairs[at] ?? "", pairs[at + 1] ?? "");
}

/** A complete git directory of the worker's own, with the given settings. */
export function ownGitDirectory(stage: Stage, name: string, ...pairs: string[]): string {
  const folder = join(stage.lair, name);
  mkdirSync(folder, { recursive: true });
  naive(stage, folder, "init", "-q");
  config(stage, folder, ...pairs);
  naive(stage, folder, "commit", "-q", "--allow-empty", "-m", "x");
  return join(folder, ".git");
}
