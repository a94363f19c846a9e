import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { constants as systemConstants } from "node:os";
import { openUnnamed } from "./unnamed-file.ts";

/** Facts reported by the launcher; any of them may be missing if it was killed. */
export interface LauncherFacts {
  readonly problem?: string;
  readonly cgroup?: string;
  readonly cpuSeconds?: number;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** The agent cannot signal the launcher. */
  readonly isScoped: boolean;
  /** The launcher has observed that no process is left below it. */
  readonly isClean: boolean;
}

const MAX_FACTS_BYTES = 64 * 1024;

/** The launcher's answers, in an unnamed file that only we and the launcher can reach. */
export class FactsFile {
  readonly descriptor: number;

  constructor(directory: string) {
    this.descriptor = openUnnamed(directory, constants.O_APPEND);
  }

  read(): LauncherFacts {
    const bytes = Buffer.alloc(Math.min(fstatSync(this.descriptor).size, MAX_FACTS_BYTES));
    const got = readSync(this.descriptor, bytes, 0, bytes.length, 0);
    return parseLauncherFacts(bytes.toString("utf8", 0, got));
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

export function parseLauncherFacts(text: string): LauncherFacts {
  const lines = new Map<string, string>();
  for (const line of text.split("\n")) {
    const space = line.indexOf(" ");
    if (space === -1) lines.set(line, "");
    else lines.set(line.slice(0, space), line.slice(space + 1));
  }
  const problem = lines.get("failed");
  const cgroup = lines.get("cgroup");
  const cpu = lines.get("cpu");
  const status = lines.get("exit");
  return {
    ...(problem === undefined ? {} : { problem }),
    ...(cgroup === undefined ? {} : { cgroup }),
    ...(cpu === undefined ? {} : { cpuSeconds: Number(cpu) }),
    ...(status === undefined ? {} : decodeStatus(Number(status))),
    isScoped: lines.has("scoped"),
    isClean: lines.has("clean"),
  };
}

/** Decodes the system's wait status: signal in the low seven bits, exit code above. */
function decodeStatus(status: number): { readonly code: number | null; readonly signal: string | null } {
  const signal = status & 127;
  if (signal === 0) return { code: status >> 8, signal: null };
  const name = Object.entries(systemConstants.signals).find(([, number]) => number === signal)?.[0];
  return { code: null, signal: name ?? `SIG${signal}` };
}
