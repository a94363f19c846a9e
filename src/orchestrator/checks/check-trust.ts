import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import { chooseIsolation } from "../../routing/choose-isolation.ts";
import { isLedWithoutAgent } from "../delegation/kind.ts";
import type { RunSettings, RunTools } from "../ports/run-tools.ts";
import type { PlaceOptions } from "../ports/work-place.ts";

/** Decides which checks of a candidate run in a sandbox, and in what kind of one. */
export interface CheckTrust {
  /** Work of a sandboxed worker is in the candidate, so every check runs what such a worker may have written. */
  readonly holdsSandboxedWork: boolean;
  /** Commands of ambit.yaml, and commands that the person gave with the story. */
  readonly knownCommands: ReadonlySet<string>;
  /** Only agents delegate in this story, so every other command was written by one. */
  readonly isLedByAgent: boolean;
  readonly sandbox: PlaceOptions;
}

export interface TrustFacts {
  readonly settings: Pick<RunSettings, "isolation" | "network" | "commands">;
  readonly delegation: Delegation;
  /** The story's root delegation. */
  readonly root: Pick<Delegation, "work" | "parent"> | undefined;
  /** From the journal: some worker of the story is or was sandboxed. */
  readonly holdsSandboxedWork: boolean;
}

export function buildCheckTrust({ settings, delegation, root, holdsSandboxedWork }: TrustFacts): CheckTrust {
  const { work } = delegation;
  const { isolation, network } = chooseIsolation([settings, { network: work?.network }]);
  const given = (root?.work?.criteria ?? []).filter(({ origin }) => origin !== "worker").flatMap(listCommand);
  return {
    holdsSandboxedWork: holdsSandboxedWork || isolation === "sandbox",
    knownCommands: new Set([...settings.commands, ...given].map((command) => command.trim())),
    isLedByAgent: root !== undefined && !isLedWithoutAgent(root),
    sandbox: { network, readable: work?.readable ?? [] },
  };
}

/** The same from the store, for a delegation whose work is about to be checked. */
export async function readCheckTrust(tools: RunTools, delegation: Delegation): Promise<CheckTrust> {
  const { store } = tools;
  const isRoot = delegation.parent === null;
  const root = isRoot ? delegation : await store.delegation(delegation.story);
  const holdsSandboxedWork = await store.hasSandboxedWork(delegation.story);
  return buildCheckTrust({ settings: await tools.settings(), delegation, root, holdsSandboxedWork });
}

/** Whether this criterion is checked in a sandbox only. */
export function needsSandbox(criterion: Criterion, trust: CheckTrust): boolean {
  if (trust.holdsSandboxedWork) return true;
  const isFromWorker = trust.isLedByAgent || criterion.origin === "worker";
  return isFromWorker && listCommand(criterion).some((command) => !trust.knownCommands.has(command.trim()));
}

function listCommand({ check }: Criterion): readonly string[] {
  return check !== undefined && "command" in check ? [check.command] : [];
}
