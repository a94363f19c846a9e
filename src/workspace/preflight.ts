import { DelegationError, readErrorMessage } from "../base/delegation-error.ts";
import { readCheckoutHead } from "./git/read-head.ts";
import { type GitHost, openRepository, type ProjectContext, type Repository } from "./git/repository.ts";
import { readSettings } from "./git/settings.ts";
import { canUseLayers } from "./prepare/layers.ts";
import { findLockFiles, findTakenNames, readGitVersion } from "./preflight/environment.ts";
import { type IndexFacts, readIndexFacts } from "./preflight/index-facts.ts";

/** The reason why no workspace can be created here. */
export type RefusalCode =
  | "NOT_A_REPOSITORY"
  | "BARE_REPOSITORY"
  | "UNBORN_HEAD"
  | "GIT_TOO_OLD"
  | "REF_STORAGE_UNSUPPORTED"
  | "BRANCH_NAME_TAKEN";

/** An unusual property of a repository that Ambit can handle. */
export type NoteKind =
  | "shallow"
  | "sparse"
  | "partial-clone"
  | "submodules"
  | "filtered-files"
  | "names-not-utf8"
  | "large"
  | "locked"
  | "detached-head"
  | "linked-worktree";

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly recommendation: string;
}

export interface Note {
  readonly kind: NoteKind;
  readonly message: string;
}

/** A worker or a check may miss something because of these, so Ambit tells the person before anything runs. */
export const missingContentKinds: ReadonlySet<NoteKind> = new Set([
  "submodules",
  "filtered-files",
  "partial-clone",
]);

export interface Preflight {
  readonly repository: Repository | undefined;
  readonly refusals: readonly Refusal[];
  readonly notes: readonly Note[];
  /** Whether warm checkouts can be kept. */
  readonly canBePooled: boolean;
  readonly files: number;
}

/** Whether workspaces share dependencies by mounts; otherwise each has a copy of them. */
export function canShareDependencies(project: ProjectContext): Promise<boolean> {
  return canUseLayers(project, "auto");
}

export interface PreflightRequest {
  readonly directory: string;
  readonly host: GitHost;
  /** `.git/ambit` of the project, for the temporary folder of single git calls. */
  readonly stateDirectory: string;
}

/**
 * Examines a repository before anything is created in it: every unusual property is either refused or noted as
 * handled.
 */
export async function checkRepository(request: PreflightRequest): Promise<Preflight> {
  const version = await readGitVersion(request);
  if (version.isTooOld) return refusePreflight(refuseOldGit(version.text));
  const repository = await openOrRefusal(request);
  if ("code" in repository) return refusePreflight(repository);
  const head = await readCheckoutHead(repository, repository.gitDirectory);
  const refusals = await findRefusals(repository, head.commit);
  const facts = await readIndexFacts(repository, request.stateDirectory);
  const notes = [
    ...(await noteSettings(repository)),
    ...noteIndexFacts(facts),
    ...noteGitLocks(repository),
    ...noteIf(
      head.ref === undefined,
      "detached-head",
      "No branch is checked out; workers start from the commit.",
    ),
  ];
  const canBePooled = !notes.some(({ kind }) => unpoolable.has(kind));
  return { repository, refusals, notes, canBePooled, files: facts.files };
}

const unpoolable: ReadonlySet<NoteKind> = new Set(["sparse", "submodules", "partial-clone"]);
const LARGE_FILES = 50_000;

function refusePreflight(refusal: Refusal): Preflight {
  return { repository: undefined, refusals: [refusal], notes: [], canBePooled: false, files: 0 };
}

async function openOrRefusal({ directory, host }: PreflightRequest): Promise<Repository | Refusal> {
  try {
    return await openRepository(directory, host);
  } catch (error) {
    if (!(error instanceof DelegationError)) throw error;
    const code = error.code === "BARE_REPOSITORY" ? "BARE_REPOSITORY" : "NOT_A_REPOSITORY";
    return { code, message: readErrorMessage(error), recommendation: error.recommendation };
  }
}

async function findRefusals(repository: Repository, head: string | undefined): Promise<readonly Refusal[]> {
  const settings = await readSettings(repository);
  const refusals: Refusal[] = [];
  if (head === undefined)
    refusals.push({
      code: "UNBORN_HEAD",
      message: "The checked-out branch has no commit yet, so a worker has nothing to start from",
      recommendation: "Make a first commit: git add -A && git commit -m 'Start'",
    });
  if (settings.refStorage !== "files")
    refusals.push({
      code: "REF_STORAGE_UNSUPPORTED",
      message: `Refs are stored as "${settings.refStorage}"; only plain files are supported`,
      recommendation: "Convert with `git refs migrate --ref-format=files`.",
    });
  for (const name of await findTakenNames(repository))
    refusals.push({
      code: "BRANCH_NAME_TAKEN",
      message: `A branch called "${name}" exists, so git cannot create ${name}/<id>`,
      recommendation: `Rename it: git branch -m ${name} ${name}-old`,
    });
  return refusals;
}

async function noteSettings(repository: Repository): Promise<readonly Note[]> {
  const settings = await readSettings(repository);
  const isLinked = repository.gitDirectory !== repository.commonDirectory;
  return [
    ...noteIf(repository.isShallow, "shallow", "History is shallow; workers see as much of it as you do."),
    ...noteIf(settings.isSparse, "sparse", "Workspaces hold the same part of the tree as your checkout."),
    ...noteIf(
      settings.isPartialClone,
      "partial-clone",
      "Objects that are not on this machine are not fetched; a commit that needs them cannot be checked out.",
    ),
    ...noteIf(isLinked, "linked-worktree", "This is a linked worktree; workers start from what it holds."),
  ];
}

function noteIndexFacts(facts: IndexFacts): readonly Note[] {
  const { files, submodules, filters, oddNames } = facts;
  return [
    ...noteIf(
      submodules.length > 0,
      "submodules",
      `${joinFirstNames(submodules)} are empty in workspaces, and changes inside them are not imported.`,
    ),
    ...noteIf(
      filters.length > 0,
      "filtered-files",
      `Files behind ${joinFirstNames(filters)} are pointers in workspaces: filters are programs, and none is run.`,
    ),
    ...noteIf(
      oddNames > 0,
      "names-not-utf8",
      `${String(oddNames)} names are not UTF-8; they are kept byte for byte.`,
    ),
    ...noteIf(
      files >= LARGE_FILES,
      "large",
      `${String(files)} files: creating a workspace takes long; progress is shown.`,
    ),
  ];
}

/** Locks of the user's own git are never touched; none of them is in our way. */
function noteGitLocks(repository: Repository): readonly Note[] {
  const locks = findLockFiles(repository);
  const message = `Git left or holds ${joinFirstNames(locks)}; if no git runs there, remove it by hand.`;
  return noteIf(locks.length > 0, "locked", message);
}

function noteIf(isSo: boolean, kind: NoteKind, message: string): readonly Note[] {
  return isSo ? [{ kind, message }] : [];
}

function joinFirstNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${String(names.length - 5)} more` : shown;
}

function refuseOldGit(version: string): Refusal {
  return {
    code: "GIT_TOO_OLD",
    message: `git ${version} is too old; 2.38 or newer is needed`,
    recommendation: "Install a newer git.",
  };
}
