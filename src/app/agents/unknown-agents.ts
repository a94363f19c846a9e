import { listDefinitions } from "../../agents/definitions.ts";
import type { ConfigValues } from "../../contract/config.ts";

/** A sentence for each setting that names an agent without a definition. A story that needs one would be refused. */
export async function findUnknownAgents(root: string, values: ConfigValues): Promise<readonly string[]> {
  const named = [
    ["agents.default", values.agents.default],
    ["agents.fallback", values.agents.fallback],
    ["verification.reviewer", values.verification.reviewer],
  ] as const;
  const known = new Set((await listDefinitions(root, values.agents.default)).map(({ name }) => name));
  return named.flatMap(([key, name]) =>
    name === null || known.has(name)
      ? []
      : [`${key} names ${name}, which is not defined: ambit agents list shows the agents of this project`],
  );
}
