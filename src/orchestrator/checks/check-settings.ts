import type { ConfigValues } from "../../contract/config.ts";
import type { RunSettings } from "../ports/run-tools.ts";

/** The settings that say where commands run. */
export function readCheckSettings({
  workspace,
  verification,
}: ConfigValues): Pick<RunSettings, "checks" | "isolation" | "network" | "commands"> {
  return {
    isolation: workspace.isolation,
    network: workspace.network,
    checks: { timeoutMs: verification.timeoutSeconds * 1000, retries: verification.retries },
    commands: [verification.test, workspace.setup].filter((command) => command !== null),
  };
}
