import type { Criterion } from "../../contract/task.ts";
import type { CheckResult } from "../../verification/run-checks.ts";
import type { BaseFinding } from "./base-cache.ts";

/** The command of a criterion; empty if it has none. */
export function readCommand({ check }: Criterion): string {
  return check !== undefined && "command" in check ? check.command.trim() : "";
}

/** Keeps only results of the command itself: a limit, a stop or chance says nothing about the tree. */
export function readFinding({
  verdict,
  code,
  evidence,
  proof,
  isFlaky,
  hints = [],
}: CheckResult): BaseFinding | undefined {
  const failing = proof?.kind === "command" ? (proof.failing ?? []) : [];
  if (isFlaky === true) return undefined;
  if (verdict === "passed") return { verdict, evidence, failing: [] };
  return verdict === "failed" && code === "CHECK_FAILED" ? { verdict, evidence, failing, hints } : undefined;
}

export function buildResult(criterion: Criterion, { verdict, evidence, failing }: BaseFinding): CheckResult {
  const ended = {
    exit_code: verdict === "passed" ? 0 : 1,
    signal: null,
    duration_ms: 0,
    output: "",
    log: null,
  };
  const command = readCommand(criterion);
  const proof = { kind: "command" as const, command, ...ended, failing: [...failing] };
  return { criterion, verdict, code: verdict === "passed" ? null : "CHECK_FAILED", evidence, proof };
}
