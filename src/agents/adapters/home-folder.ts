import { join } from "node:path";
import type { BuiltRun, RunSpec } from "../adapter-types/agent-adapter.ts";
import type { AcpProgram } from "../adapter-types/agent-program.ts";

/** A sandbox has an empty home. The agent gets copies of its own settings and its login, and a variable that leads there. */
export function bringHomeFolder(
  { homeFolder }: Pick<AcpProgram, "homeFolder">,
  { sandboxed, agentHome, userHome, userEnvironment }: RunSpec,
): Pick<BuiltRun, "environment" | "copies"> {
  if (sandboxed !== true || homeFolder === undefined) return { environment: {} };
  const { variable, path, files } = homeFolder;
  const from = userEnvironment?.[variable] ?? join(userHome, path);
  return {
    environment: { [variable]: join(agentHome, path) },
    copies: files.map((name) => ({ from: join(from, name), to: join(path, name) })),
  };
}
