import { execFileSync } from "node:child_process";
import type { ProcessEntry } from "./process-entry.ts";

/** Unverified: written for macOS, which has no /proc; our tests never run it there. */
export function readPsTable(): ReadonlyMap<number, ProcessEntry> {
  return parsePsTable(runPsCommand(["-A", "-o", "pid=,ppid=,pgid=,sess=,stat=,time=,lstart="]));
}

/** Returns pids whose environment holds `marker`; `ps` shows it only for our own processes. Unverified. */
export function findMarkedByPs(marker: string): readonly number[] {
  const lines = runPsCommand(["-A", "-E", "-ww", "-o", "pid=,command="]).split("\n");
  const marked = lines.filter((line) => line.split(" ").includes(marker));
  return marked.map((line) => Number.parseInt(line, 10)).filter((pid) => pid > 0);
}

/** `pid ppid pgid sess stat time lstart`, the last one in five words: `Sat Nov 15 05:30:26 2025`. */
export function parsePsTable(text: string): ReadonlyMap<number, ProcessEntry> {
  const table = new Map<number, ProcessEntry>();
  for (const line of text.split("\n")) {
    const [pid, parent, group, session, state = "", time = "", ...started] = line.split(" ").filter(Boolean);
    const startTime = Date.parse(started.join(" "));
    if (pid === undefined || Number.isNaN(startTime)) continue;
    const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) };
    table.set(ids.pid, {
      ...ids,
      isZombie: state.startsWith("Z"),
      startTime,
      cpuSeconds: parseCpuTime(time),
    });
  }
  return table;
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` */
function parseCpuTime(text: string): number {
  const [last = "", days = "0"] = text.split("-").toReversed();
  const clock = last.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
  return Number(days) * 86_400 + clock;
}

function runPsCommand(options: readonly string[]): string {
  const environment = { PATH: "/bin:/usr/bin", LC_ALL: "C" };
  return execFileSync("/bin/ps", options, {
    encoding: "latin1",
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  });
}
