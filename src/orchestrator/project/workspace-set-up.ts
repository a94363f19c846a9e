import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../../containment/sandbox-command.ts";
import { runChecks, type PlacedCommand } from "../../verification/run-checks.ts";
import type { FreshCheckout, SetUp } from "../../workspace/worktree.ts";

const TIMEOUT_MS = 900_000;

/** Runs `workspace.setup` in a fresh checkout the way a check runs: contained, timed, its output in a file. */
export function workspaceSetUp(
  command: string,
  place: {
    readonly stateDirectory: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): SetUp {
  return async (checkout) => {
    const runId = `setup-${randomBase36(12)}`;
    const [result] = await runChecks({
      criteria: [
        { id: "setup", text: "workspace.setup", required: true, verdict: "unverified", check: { command } },
      ],
      folder: checkout.path,
      environment: buildEnvironment({ base: place.environment, set: checkout.environment }),
      changedFiles: [],
      logDirectory: join(place.stateDirectory, "logs", "setup"),
      runId,
      timeoutMs: TIMEOUT_MS,
      place: (placed) => placeSetUp(checkout, placed),
    });
    if (result === undefined || result.verdict === "passed") return undefined;
    return { reason: result.code ?? result.verdict, output: result.evidence };
  };
}

async function placeSetUp({ path, sandbox }: FreshCheckout, command: PlacedCommand): Promise<PlacedCommand> {
  if (sandbox === undefined) return command;
  const { tier, tools } = await probeSandbox();
  const { argv, environment } = command;
  const built = buildSandboxCommand({ ...sandbox, tier, tools, argv, environment, cwd: path, network: true });
  return { ...built, tier: chooseLaunchTier(await probeContainment()) };
}
