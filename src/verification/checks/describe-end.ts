import type { ContainmentLimits, ExitFacts, ResourceLimit } from "../../containment/contained-process.ts";
import type { CheckFinding } from "../criteria/check-result.ts";

export interface EndFacts {
  readonly exit: ExitFacts;
  readonly limits: Pick<ContainmentLimits, "timeoutMs" | "outputMaxBytes"> & { readonly stallMs?: number };
  readonly exceeded:
    | { readonly limit: ResourceLimit; readonly value: number; readonly max: number }
    | undefined;
  /** The time left for all checks was shorter than its own limit. */
  readonly isCutShort: boolean;
}

export interface End extends Pick<CheckFinding, "verdict" | "code"> {
  readonly message: string;
}

/** Only exit code 0 is a pass; a check that got less time than its limit is unverified. */
export function describeEnd({ exit, limits, exceeded, isCutShort }: EndFacts): End {
  const after = `after ${formatSeconds(exit.durationMs)}`;
  switch (exit.reason) {
    case "exited":
      return describeOwnEnd(exit, after);
    case "stalled":
      return describeFailure(
        exit.errorCode,
        `made no progress for ${formatSeconds(limits.stallMs ?? limits.timeoutMs)} and was stopped ${after}.`,
      );
    case "timeout": {
      if (!isCutShort)
        return describeFailure(
          exit.errorCode,
          `did not end within ${formatSeconds(limits.timeoutMs)} and was stopped.`,
        );
      const message = `was stopped ${after}: the time for all checks was used up.`;
      return { verdict: "unverified", code: "TIMEOUT", message };
    }
    case "output-limit":
      return describeFailure(
        exit.errorCode,
        `wrote more than ${formatBytes(limits.outputMaxBytes)} and was stopped ${after}.`,
      );
    case "resource-limit":
    case "disk-limit":
      return describeFailure(exit.errorCode, `was stopped ${after}: ${describeExcess(exceeded)}.`);
    case "stopped":
      if (exit.listenerError !== undefined)
        return {
          verdict: "unverified",
          code: "CHECK_NOT_RUN",
          message: "could not be watched and was stopped.",
        };
      return { verdict: "unverified", code: "CHECK_STOPPED", message: `was stopped on request ${after}.` };
  }
}

function describeOwnEnd({ code, signal, problem }: ExitFacts, after: string): End {
  if (problem !== undefined)
    return { verdict: "unverified", code: "CHECK_NOT_RUN", message: `could not be run: ${problem}.` };
  if (code === 0) return { verdict: "passed", code: null, message: `ended with exit code 0 ${after}.` };
  if (code === null) return describeFailure("CHECK_FAILED", `was ended by ${signal ?? "a signal"} ${after}.`);
  return describeFailure("CHECK_FAILED", `ended with exit code ${code}${explainExitCode(code)} ${after}.`);
}

function describeFailure(code: CheckFinding["code"], message: string): End {
  return { verdict: "failed", code: code ?? "CHECK_FAILED", message };
}

/** The meaning shells give the code; 126 and 127 often mean that dependencies are missing in a fresh checkout. */
function explainExitCode(code: number): string {
  if (code === 126) return " (a program is not executable)";
  if (code === 127) return " (a program was not found; is it installed where checks run?)";
  return code > 128 && code < 160 ? ` (ended by signal ${code - 128})` : "";
}

function describeExcess(exceeded: EndFacts["exceeded"]): string {
  switch (exceeded?.limit) {
    case "memory":
      return `it used ${formatBytes(exceeded.value)} of memory, the limit is ${formatBytes(exceeded.max)}`;
    case "processes":
      return `it had ${exceeded.value} processes, the limit is ${exceeded.max}`;
    case "cpu":
      return `it used ${Math.round(exceeded.value)} s of CPU time, the limit is ${exceeded.max} s`;
    case "disk":
      return `it used ${formatBytes(exceeded.value)} of disk space, the limit is ${formatBytes(exceeded.max)}`;
    case undefined:
      return "it reached a limit of the system";
  }
}

function formatSeconds(milliseconds: number): string {
  const value = milliseconds / 1000;
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}

function formatBytes(count: number): string {
  const mebibytes = count / (1024 * 1024);
  return mebibytes >= 1 ? `${Math.round(mebibytes)} MiB` : `${Math.ceil(count / 1024)} KiB`;
}
