import type { ConfigValues } from "../../contract/config.ts";
import { formatValues } from "../../contract/environment-variables.ts";
import { readServices } from "../../contract/services.ts";
import type { RunSettings } from "../ports/run-tools.ts";

/** The settings that say where and with which variables commands run. */
export function readCheckSettings({
  workspace,
  verification,
}: ConfigValues): Pick<
  RunSettings,
  "checks" | "isolation" | "network" | "commands" | "env" | "include" | "setup" | "ownPath" | "services"
> {
  return {
    isolation: workspace.isolation,
    network: workspace.network,
    checks: {
      timeoutMs: verification.timeoutSeconds * 1000,
      retries: verification.retries,
      exclusive: verification.exclusive,
      base: verification.base,
    },
    include: workspace.include,
    setup: workspace.setup,
    ownPath: workspace.ownPath,
    services: workspace.services === null ? null : readServices(workspace.services),
    env: { pass: workspace.env.pass, set: formatValues(workspace.env.set) },
    commands: [verification.test, workspace.setup].filter((command) => command !== null),
  };
}
