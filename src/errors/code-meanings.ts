import type { ErrorCode } from "../contract/error-code.ts";
import type { CodeMeaning } from "./meanings/code-meaning.ts";
import { agentMeanings } from "./meanings/agents.ts";
import { limitMeanings } from "./meanings/limits.ts";
import { returnMeanings } from "./meanings/returns.ts";
import { runtimeMeanings } from "./meanings/runtime.ts";
import { taskMeanings } from "./meanings/tasks.ts";
import { workspaceMeanings } from "./meanings/workspaces.ts";

/** A published code without a meaning does not compile. Exit statuses are in `contract/error-code.ts`. */
const published: Readonly<Record<ErrorCode, CodeMeaning>> = {
  ...agentMeanings,
  ...limitMeanings,
  ...returnMeanings,
  ...runtimeMeanings,
  ...taskMeanings,
  ...workspaceMeanings,
};

const meanings: ReadonlyMap<string, CodeMeaning> = new Map(Object.entries(published));

export const explainedCodes: readonly string[] = [...meanings.keys()];

/** `MISSING_FIELD:summary` is `MISSING_FIELD` about one field. */
export function findCodeMeaning(code: string): CodeMeaning | undefined {
  return meanings.get(stripCodeDetail(code));
}

export function stripCodeDetail(code: string): string {
  return code.split(":", 1)[0] ?? code;
}
