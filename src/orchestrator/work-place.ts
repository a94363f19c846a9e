import { dirname } from "node:path";
import type { ContainmentTier } from "../containment/contained-process.ts";
import { probeContainment } from "../containment/probe-containment.ts";
import { probeSandbox } from "../containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../containment/sandbox-command.ts";
import { importSandboxWork } from "../workspace/import-sandbox-work.ts";
import { importWork } from "../workspace/import-work.ts";
import { dropBranch, releaseWorkspace } from "../workspace/remove.ts";
import {
  createSandboxClone,
  openSandboxClone,
  removeSandboxClone,
  type SandboxClone,
} from "../workspace/sandbox-clone.ts";
import { createWorkspace, type WorkspaceSettings } from "../workspace/worktree.ts";

export type Isolation = "worktree" | "sandbox";

export interface PlaceOptions {
  readonly network: boolean;
  readonly readable: readonly string[];
}

/** A command as it is started in a place: with or without a sandbox around it. */
export interface PlacedCommand {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly tier?: ContainmentTier;
}

export interface KeptWork {
  readonly tip: string;
  readonly filesChanged: readonly string[];
}

/** Where one worker works: a linked worktree, or a private clone inside a sandbox. The stages need not know which. */
export interface WorkPlace {
  readonly isolation: Isolation;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly tookMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder the worker can write where its return is looked for, when it cannot reach the log folder. */
  readonly outbox: string | undefined;
  readonly placeCommand: (command: PlacedCommand, options: PlaceOptions) => Promise<PlacedCommand>;
  readonly keepWork: (message: string) => Promise<KeptWork>;
  /** Frees the place once its work is kept. The branch goes when there is nothing on it. */
  readonly release: (keepBranch: boolean) => Promise<void>;
}

export async function makePlace(
  workspaces: WorkspaceSettings,
  request: { readonly id: string; readonly base: string; readonly isolation: Isolation },
): Promise<WorkPlace> {
  const { id, base, isolation } = request;
  if (isolation === "sandbox")
    return sandboxPlace(workspaces, await createSandboxClone({ ...workspaces, id, base }));
  return worktreePlace(workspaces, id, await createWorkspace(workspaces, { id, base }));
}

/** The place of a worker whose owner died, by what is on disk and in the journal. */
export async function findPlace(
  workspaces: WorkspaceSettings,
  known: { readonly id: string; readonly worktree: string | undefined },
): Promise<WorkPlace | undefined> {
  const clone = await openSandboxClone(workspaces, known.id);
  if (clone !== undefined) return sandboxPlace(workspaces, clone);
  if (known.worktree === undefined) return undefined;
  const unknown = { branch: "", base: "", tookMs: 0, environment: {} };
  return worktreePlace(workspaces, known.id, { ...unknown, path: known.worktree });
}

type WorktreeFacts = Pick<WorkPlace, "path" | "branch" | "base" | "tookMs" | "environment">;

function worktreePlace(workspaces: WorkspaceSettings, id: string, facts: WorktreeFacts): WorkPlace {
  const { path, branch, base, tookMs, environment } = facts;
  return {
    isolation: "worktree",
    path,
    branch,
    base,
    tookMs,
    environment,
    outbox: undefined,
    placeCommand: (command) => Promise.resolve(command),
    keepWork: async (message) => {
      const { tip, filesChanged } = await importWork(workspaces, { id, message });
      return { tip, filesChanged: filesChanged.map((file) => file.path) };
    },
    // A refusal to delete is no error here: `ambit doctor` shows what stayed and why.
    release: async (keepBranch) => void (await releaseWorkspace(workspaces, { id, path, keepBranch })),
  };
}

function sandboxPlace(workspaces: WorkspaceSettings, clone: SandboxClone): WorkPlace {
  const { path, branch, base, tookMs, environment } = clone;
  return {
    isolation: "sandbox",
    path,
    branch,
    base,
    tookMs,
    environment,
    outbox: clone.outbox,
    placeCommand: async (command, { network, readable }) => {
      const sandbox = await probeSandbox();
      const readOnly = [...clone.readOnly, ...programFolders(), ...readable];
      const built = buildSandboxCommand({
        ...clone,
        tier: sandbox.tier,
        tools: sandbox.tools,
        argv: command.argv,
        environment: command.environment,
        readOnly,
        cwd: path,
        network,
      });
      return { ...built, tier: chooseLaunchTier(await probeContainment()) };
    },
    keepWork: async (message) => {
      const sandbox = await probeSandbox();
      const { tip, filesChanged } = await importSandboxWork({ ...workspaces, clone, sandbox, message });
      return { tip, filesChanged: filesChanged.map((file) => file.path) };
    },
    release: async (keepBranch) => {
      await removeSandboxClone(workspaces, clone.id);
      if (!keepBranch) await dropBranch(workspaces.repository, clone.id, base);
    },
  };
}

/** Our own program, for the built-in worker; Node itself where it is not among the system's folders. */
function programFolders(): readonly string[] {
  const own = dirname(process.argv[1] ?? "/");
  const node = dirname(dirname(process.execPath));
  return [own, node].filter((folder) => folder.startsWith("/") && folder !== "/" && folder !== "/usr");
}
