import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Result } from "./measure.ts";

const COMMANDS = [
  ["status"],
  ["status", "FILL-1"],
  ["tree", "FILL-1"],
  ["cost", "FILL-1"],
  ["stats"],
  ["performance"],
  ["audit", "FILL-1"],
  ["audit"],
  ["audit", "--export", "jsonl", "--out", "exported"],
  ["audit", "--verify"],
  ["audit", "--verify", "--full"],
] as const;

/** More than this for a report means that it holds the whole store in memory. */
const MEMORY_LIMIT_MB = 200;
/** Of a million events. */
const VERIFY_LIMIT_MS = 5000;

/** Each reporting command on the filled store: its time and the most memory it held. */
export function commandResults(project: string): Result[] {
  const program = resolve("dist/cli/main.cjs");
  if (!existsSync(program))
    throw new Error("dist/cli/main.cjs is missing: run node scripts/build.mjs --no-types");
  return COMMANDS.map((command) => {
    const { ms, peakMb, status, error } = runCommand(program, project, command);
    const what = `ambit ${command.join(" ")}`;
    if (status !== 0)
      return { what, value: `exit ${status}: ${error.slice(0, 200)}`, goal: "exit 0", met: false };
    const value = `${ms.toFixed(0)} ms, ${peakMb.toFixed(0)} MB at most`;
    const maxMs = what === "ambit audit --verify" ? VERIFY_LIMIT_MS : Number.POSITIVE_INFINITY;
    const time = maxMs === VERIFY_LIMIT_MS ? `≤ ${VERIFY_LIMIT_MS} ms, ` : "";
    return {
      what,
      value,
      goal: `${time}≤ ${MEMORY_LIMIT_MB} MB`,
      met: peakMb <= MEMORY_LIMIT_MB && ms <= maxMs,
    };
  });
}

function runCommand(program: string, project: string, command: readonly string[]) {
  const report = 'process.on("exit",()=>process.stderr.write(`peak=${process.resourceUsage().maxRSS}`))';
  const began = performance.now();
  const child = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${report}`, program, ...command, "--json"],
    {
      cwd: project,
      env: { PATH: process.env["PATH"] ?? "", HOME: project },
      encoding: "utf8",
      maxBuffer: 2 ** 30,
    },
  );
  const ms = performance.now() - began;
  const peakKb = Number(/peak=(\d+)/.exec(child.stderr)?.[1] ?? 0);
  return {
    ms,
    peakMb: peakKb / 1024,
    status: child.status,
    error: child.stderr + child.stdout.slice(0, 200),
  };
}
