import type { ErrorCode } from "../contract/error-code.ts";
import { depthOfPath } from "./depth.ts";

export interface PathVerdict {
  readonly allowed: boolean;
  readonly childDepth: number;
  /** All failures, the cycle first (C6). */
  readonly failures: readonly { readonly code: ErrorCode; readonly message: string }[];
}

/**
 * Judges whether the last agent of this path may delegate to `target`. The path is the caller's own, before the
 * target is appended (C4); the texts are those of R65.
 */
export function judgeAgentPath(path: readonly string[], target: string, maxDepth: number): PathVerdict {
  const failures: { code: ErrorCode; message: string }[] = [];
  const line = [...path, target].join(" → ");
  if (path.includes(target)) failures.push({ code: "CYCLE_DETECTED", message: `Cycle detected: ${line}` });
  if (depthOfPath([...path, target]) > maxDepth) {
    failures.push({
      code: "MAX_DEPTH_EXCEEDED",
      message: `Max delegation depth (${maxDepth}) exceeded: ${line}`,
    });
  }
  return { allowed: failures.length === 0, childDepth: depthOfPath([...path, target]), failures };
}
