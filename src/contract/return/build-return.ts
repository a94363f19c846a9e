import { dropUndefined } from "../../base/json.ts";
import { agentReturnSchema, errorCodeOf, type AgentReturn, type ReturnStatus } from "../agent-return.ts";
import { withoutNulls } from "../schema-problems.ts";
import { ownField, type Fields } from "../return-problem.ts";

/** Builds the stored form of a return that passed every check: known fields only, codes derived. */
export function buildReturn(fields: Fields, status: ReturnStatus): AgentReturn {
  const parsed = agentReturnSchema.parse({
    status: ownField(fields, "status"),
    summary: ownField(fields, "summary"),
    artifacts: itemsOf(fields, "artifacts"),
    metadata: withoutNulls(ownField(fields, "metadata")),
    errors: itemsOf(fields, "errors"),
    next_steps: readText(ownField(fields, "next_steps")),
  });
  return {
    status,
    reported_status: parsed.status,
    summary: parsed.summary.trim(),
    artifacts: parsed.artifacts,
    metadata: parsed.metadata,
    errors: parsed.errors.map((error) => ({ ...error, code: errorCodeOf(error) })),
    ...dropUndefined({ next_steps: parsed.next_steps }),
  };
}

function itemsOf(fields: Fields, name: string): readonly unknown[] {
  const items = ownField(fields, name);
  return Array.isArray(items) ? items.map(withoutNulls) : [];
}

/** A next step that is not text is dropped: it is advice, and not a reason to refuse good work. */
function readText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
