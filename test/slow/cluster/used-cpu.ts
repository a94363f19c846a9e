import { readFileSync } from "node:fs";

const MS_PER_TICK = 10;
/** Fields of `/proc/<pid>/stat` behind the name: its own time, and that of its ended children. */
const [FIRST, LAST] = [11, 15];

/** The processor time of processes that may be gone when it is asked for. */
export class UsedCpu {
  readonly #byPid = new Map<number, number>();

  look(pid: number | undefined): void {
    const ms = pid === undefined ? undefined : readCpuMs(pid);
    if (pid !== undefined && ms !== undefined) this.#byPid.set(pid, ms);
  }

  get ms(): number {
    return [...this.#byPid.values()].reduce((sum, ms) => sum + ms, 0);
  }
}

function readCpuMs(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(FIRST, LAST).reduce((sum, field) => sum + Number(field) * MS_PER_TICK, 0);
  } catch {
    return undefined;
  }
}
