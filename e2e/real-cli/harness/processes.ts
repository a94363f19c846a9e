import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** Every process, not this one, whose command line or environment names the text; the dead that nobody buried not. */
export function processesMentioning(word: string): readonly Process[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const command = read(pid, "cmdline");
    const isOurs = command.includes(word) || read(pid, "environ").includes(word);
    return isOurs && !isZombie(pid) ? [{ pid, command: command.replaceAll("\0", " ").trim() }] : [];
  });
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // Gone while we looked, or not ours to see.
    return "";
  }
}

function isZombie(pid: number): boolean {
  const state = read(pid, "stat").split(") ").at(-1) ?? "";
  return state === "" || state.startsWith("Z");
}
