export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly isZombie: boolean;
  readonly startTime: number;
  /** Its own time and that of the descendants it has waited for. */
  readonly cpuSeconds: number;
}

export type ProcessTable = ReadonlyMap<number, ProcessEntry>;
