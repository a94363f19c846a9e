import type { Delegation } from "./store.ts";

type Ended = Pick<Delegation, "id" | "outcome" | "code" | "summary" | "errors">;

const verbs: Readonly<Record<string, string>> = {
  failed: "failed",
  partial: "is incomplete",
  blocked: "is blocked",
  timed_out: "timed out",
  cancelled: "was cancelled",
};

/** `Delegation US-1-DEL-002 failed: No compiler (BUILD_ERROR).` with what its worker advises, one line each (R123). */
export function describeFailure({ id, outcome, code, summary, errors }: Ended): readonly string[] {
  if (outcome === null || outcome === "completed") return [];
  const ended = `Delegation ${id} ${verbs[outcome] ?? "failed"}:`;
  if (errors.length === 0) return [code === null ? `${ended} ${summary}` : `${ended} ${summary} (${code})`];
  return errors.flatMap((error) => [
    `${ended} ${error.message} (${error.code})`,
    ...(error.recommendation === "" ? [] : [`Recommendation: ${error.recommendation}`]),
  ]);
}
