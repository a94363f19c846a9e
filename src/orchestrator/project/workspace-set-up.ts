import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import { getTaskAbort } from "../../base/task-abort.ts";
import { buildEnvironment } from "../../containment/build-environment.ts";
import { runChecks, type PlacedCommand } from "../../verification/run-checks.ts";
import { withSandboxPlaces } from "../../workspace/sandbox-candidate.ts";
import type { FreshCheckout, SetUp, WorkspaceSettings } from "../../workspace/worktree.ts";
import type { CommandVariables } from "../delegation/story-tools.ts";
import { placeInWorkspace, type WorkspaceInProject } from "./show-at-own-path.ts";
import { placeInSandbox } from "./place-in-sandbox.ts";

const TIMEOUT_MS = 900_000;

/** Runs `workspace.setup` in a fresh checkout the way a check runs: contained, timed, its output in a file. */
export function workspaceSetUp(
  command: string,
  place: Omit<WorkspaceInProject, "path"> & {
    readonly variables: CommandVariables;
  },
): SetUp {
  const { environment: base, pass, set } = place.variables;
  return async (checkout) => {
    const abort = getTaskAbort();
    const runId = `setup-${randomBase36(12)}`;
    const [result] = await runChecks({
      criteria: [
        { id: "setup", text: "workspace.setup", required: true, verdict: "unverified", check: { command } },
      ],
      folder: checkout.path,
      environment: buildEnvironment({ base, allow: pass, set: { ...set, ...checkout.environment } }),
      changedFiles: [],
      logDirectory: join(place.stateDirectory, "logs", "setup"),
      runId,
      timeoutMs: TIMEOUT_MS,
      place: (placed) => placeSetUp(checkout, place, placed),
      ...(abort === undefined ? {} : { signal: abort }),
    });
    if (result === undefined || result.verdict === "passed") return undefined;
    return { reason: result.code ?? result.verdict, output: result.evidence };
  };
}

async function placeSetUp(
  { path, sandbox }: FreshCheckout,
  project: Omit<WorkspaceInProject, "path">,
  command: PlacedCommand,
): Promise<PlacedCommand> {
  if (sandbox !== undefined)
    return placeInSandbox({ ...sandbox, path }, command, { network: sandbox.network, readable: [] });
  return placeInWorkspace({ ...project, path }, command);
}

/**
 * The same command around a checkout without a sandbox of its own, because it runs code that came from a sandboxed
 * worker.
 */
export function sandboxSetUp(
  setUp: SetUp,
  { repository, stateDirectory }: WorkspaceSettings,
  { network }: { readonly network: boolean },
): SetUp {
  return (checkout) =>
    withSandboxPlaces({ repository, stateDirectory, path: checkout.path }, (places) =>
      setUp({ ...checkout, sandbox: { ...places, network } }),
    );
}
