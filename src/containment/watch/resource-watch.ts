import type { ContainmentLimits, ResourceLimit } from "../launcher/contained-process.ts";
import { measureTree, type TreeMeasure } from "../processes/measure-tree.ts";
import type { ProcessTable } from "../process-table/process-entry.ts";
import { readProcessTableGently } from "../process-table/process-table.ts";
import type { ProcessTree } from "../processes/process-tree.ts";

export interface Excess {
  readonly limit: ResourceLimit;
  readonly value: number;
  readonly max: number;
}

type ResourceLimits = Pick<
  ContainmentLimits,
  "memoryMaxBytes" | "maxProcesses" | "cpuMaxSeconds" | "idleEndsBy"
>;

const RELAXED_MS = 500;
/** The pause near a limit, and while a young tree may still be growing fast. */
const ALERT_MS = 100;
const ALERT_SHARE = 0.5;
const YOUNG_MS = 3000;
/** For this long, one reading of all processes serves every tree that is measured. */
const TABLE_FRESH_MS = 50;

/** Measures memory, processes and CPU time of a tree, but only if one of them is limited. */
export class ResourceWatch {
  readonly #limits: ResourceLimits;
  /** A table from before the run may show what its launcher did for another one. */
  #nextMs = TABLE_FRESH_MS;
  #isLooking = false;
  #peakMemoryBytes: number | null = null;
  #peakProcesses: number | null = null;
  #cpuSeconds = 0;
  #activity = "";
  #wasActive = false;

  constructor(limits: ResourceLimits) {
    this.#limits = limits;
  }

  get peaks(): { readonly peakMemoryBytes: number | null; readonly peakProcesses: number | null } {
    return { peakMemoryBytes: this.#peakMemoryBytes, peakProcesses: this.#peakProcesses };
  }

  get cpuSeconds(): number {
    return this.#cpuSeconds;
  }

  /** Whether some process of the tree has run since the last call; known only if activity ends idleness. */
  takeActivity(): boolean {
    const wasActive = this.#wasActive;
    this.#wasActive = false;
    return wasActive;
  }

  /** Returns the exceeded limit, if a measurement is due and a limit is exceeded. Measurements do not overlap. */
  async checkLimits(tree: ProcessTree, ageMs: number): Promise<Excess | undefined> {
    const { memoryMaxBytes, maxProcesses, cpuMaxSeconds, idleEndsBy } = this.#limits;
    const isLimited = memoryMaxBytes !== null || maxProcesses !== null || cpuMaxSeconds !== null;
    if (!isLimited && idleEndsBy !== "activity") return undefined;
    if (ageMs < this.#nextMs || this.#isLooking) return undefined;
    this.#isLooking = true;
    try {
      const measure = await measureTree(tree.processes(await readSharedTable()));
      return this.#findExcess(measure, ageMs);
    } finally {
      this.#isLooking = false;
    }
  }

  #findExcess(measure: TreeMeasure, ageMs: number): Excess | undefined {
    const { memoryMaxBytes, maxProcesses, cpuMaxSeconds } = this.#limits;
    // If no process can be seen, nothing is known about them.
    const isNews = measure.activity === "" || measure.activity !== this.#activity;
    if (this.#limits.idleEndsBy === "activity" && isNews) {
      this.#activity = measure.activity;
      this.#wasActive = true;
    }
    this.#peakMemoryBytes = Math.max(this.#peakMemoryBytes ?? 0, measure.memoryBytes);
    this.#peakProcesses = Math.max(this.#peakProcesses ?? 0, measure.processes);
    // Processes that ended without being waited for take their CPU time with them.
    this.#cpuSeconds = Math.max(this.#cpuSeconds, measure.cpuSeconds);
    const states = [
      { limit: "memory", value: measure.memoryBytes, max: memoryMaxBytes },
      { limit: "processes", value: measure.processes, max: maxProcesses },
      { limit: "cpu", value: this.#cpuSeconds, max: cpuMaxSeconds },
    ] as const;
    const limited = states.flatMap(({ limit, value, max }) => (max === null ? [] : [{ limit, value, max }]));
    const isClose = limited.some(({ value, max }) => value > max * ALERT_SHARE);
    this.#nextMs = ageMs + (isClose || ageMs < YOUNG_MS ? ALERT_MS : RELAXED_MS);
    return limited.find(({ value, max }) => value > max);
  }
}

let lastTable: { readonly readMs: number; readonly table: Promise<ProcessTable> } | undefined;

function readSharedTable(): Promise<ProcessTable> {
  const nowMs = performance.now();
  if (lastTable === undefined || nowMs - lastTable.readMs > TABLE_FRESH_MS) {
    lastTable = { readMs: nowMs, table: readProcessTableGently() };
  }
  return lastTable.table;
}
