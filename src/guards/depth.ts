import { passed, type Guard } from "./verdict.ts";

/** One rule (C2): a caller at the maximum depth cannot delegate. */
export const depthGuard: Guard = (request, facts, limits) => {
  if (facts.callerDepth < limits.maxDepth) return passed("depth_ok");
  const attempted = request.description.slice(0, limits.descriptionMaxLength);
  return {
    ok: false,
    code: "MAX_DEPTH_EXCEEDED",
    message: `Delegation depth limit (${limits.maxDepth}) reached. Cannot delegate further.`,
    details: [
      `Current depth: ${facts.callerDepth}`,
      // `ambit check depth` asks about no delegation in particular.
      ...(attempted === "" ? [] : [`Attempted delegation: ${attempted}`]),
    ],
    suggestion: "Complete this task at current level or simplify.",
  };
};

/** The depth of the last agent on a path: root and command are not counted (C3). */
export function depthOfPath(path: readonly string[]): number {
  return Math.max(0, path.length - 2);
}
