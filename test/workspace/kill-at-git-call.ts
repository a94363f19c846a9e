import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

export interface KillPlan {
  /** A folder outside the repository, for the program that stands in for git. */
  readonly folder: string;
  readonly program: string;
  readonly words: readonly string[];
  /** Which of the program's git calls is its last: the how many-th, or the first with these words in it. */
  readonly at: number | string;
  /** Whether that call still does its work. */
  readonly after: boolean;
}

/** A TypeScript file as a program; to be deleted by the caller. It lies where packages are found. */
export async function bundleProgram(file: string): Promise<string> {
  const outfile = `node_modules/.cache/ambit/run/${file.replaceAll("/", "-")}-${process.pid}.mjs`;
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  return outfile;
}

/**
 * Runs a program that is killed at one of its git calls: a git that kills its caller stands in for the unlucky moment.
 * Answers whether it came that far.
 */
export async function runAndKill(plan: KillPlan): Promise<boolean> {
  const { folder, at, after } = plan;
  mkdirSync(folder, { recursive: true });
  const counter = join(folder, "calls");
  rmSync(counter, { force: true });
  const fatal = after ? '/usr/bin/git "$@"; kill -9 $PPID; exit' : "kill -9 $PPID; exit";
  const isIt =
    typeof at === "number"
      ? `[ "$(wc -l < ${counter})" = "${String(at)}" ]`
      : `case "$*" in *" ${at} "*) true;; *) false;; esac`;
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh\necho x >> ${counter}\nif ${isIt}; then ${fatal}; fi\nexec /usr/bin/git "$@"\n`,
    { mode: 0o755 },
  );
  const child = spawn(process.execPath, [plan.program, ...plan.words], {
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "exit");
  const calls = existsSync(counter) ? readFileSync(counter, "utf8").split("\n").length - 1 : 0;
  if (child.exitCode !== 0 && child.signalCode !== "SIGKILL")
    throw new Error(`${plan.program} failed at call ${String(calls)}`);
  return child.signalCode === "SIGKILL";
}
