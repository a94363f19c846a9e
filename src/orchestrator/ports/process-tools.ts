import type {
  AnnouncedRun,
  ContainedProcess,
  LaunchSpec,
  ProcessRecord,
} from "../../containment/contained-process.ts";
import type { CheckRequest, CheckResult } from "../../verification/run-checks.ts";

/** Everything the pipeline asks of the operating system. */
export interface ProcessTools {
  readonly launch: (spec: LaunchSpec) => Promise<ContainedProcess>;
  readonly runChecks: (request: CheckRequest) => Promise<readonly CheckResult[]>;
  /** Ends the processes that a dead predecessor left of one run; returns their number. */
  readonly reap: (run: ProcessRecord | AnnouncedRun) => Promise<number>;
}
