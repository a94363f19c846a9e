import { readErrorMessage, type DelegationError } from "../base/delegation-error.ts";
import type { ErrorCode } from "../contract/error-code.ts";
import { isDiskFull } from "../base/file-trouble.ts";
import { makeError } from "./make-error.ts";

const UNCOMMITTED_LOST =
  "Commits made in it are still on its branch; uncommitted changes cannot be recovered.";

/** Git, checkouts, workspaces, sandboxes and merging. */
export const workspaceErrors = {
  notACheckout: (directory: string, reason: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `${directory} is not inside a git checkout${reason === "" ? "" : ` (${reason})`}`,
      advice: "Change to a checkout, or create one: git init && git add -A && git commit -m 'Start'",
    }),
  repositoryGone: (gitDirectory: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `The repository ${gitDirectory} was moved or deleted`,
      advice: "Run the command again where the repository is now.",
    }),
  foreignCheckout: (directory: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `${directory} belongs to another user, so git refuses to use it`,
      advice: `If you trust it: git config --global --add safe.directory ${directory}`,
    }),
  unusablePath: (directory: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `The path of ${directory} has a line break or is not UTF-8, which Ambit does not support`,
      advice: "Rename the folder",
    }),
  bareRepository: (directory: string): DelegationError =>
    makeError({
      code: "BARE_REPOSITORY",
      message: `${directory} is a bare repository: it has no files for a worker to start from`,
      advice: "Run from a checkout of it, for example one made with `git worktree add`.",
    }),
  unbornHead: (workTree: string, ref: string | undefined): DelegationError =>
    makeError({
      code: "UNBORN_HEAD",
      message: `${workTree} has no commit yet${ref === undefined ? "" : ` on ${ref}`}, so a worker has nothing to start from`,
      advice: "Make a first commit: git add -A && git commit -m 'Start'",
    }),
  gitFailed: (words: readonly string[], end: string, output: string): DelegationError =>
    makeError({
      code: "GIT_FAILED",
      message: `git ${words.join(" ")} ${end}${output === "" ? "" : `: ${output}`}`,
      advice: "Run the command yourself to see more; `ambit doctor` checks the repository.",
      recoverable: true,
    }),
  mergeInterrupted: ({
    what,
    command,
    cause,
  }: {
    readonly what: string;
    readonly command: string;
    readonly cause: unknown;
  }): DelegationError =>
    makeError({
      code: isDiskFull(cause) ? "DISK_FULL" : "GIT_FAILED",
      message: `${what} was interrupted halfway: ${readErrorMessage(cause)}`,
      advice: `${isDiskFull(cause) ? "Free some space, then complete" : "Complete"} it with \`${command}\`; nothing is lost.`,
      recoverable: true,
      cause,
    }),
  notSigned: (reason: string): DelegationError =>
    makeError({
      code: "GIT_FAILED",
      message: `The commit could not be signed${reason === "" ? "" : ` (${reason})`}`,
      advice:
        "Nothing was changed. Try your key with `git commit --allow-empty -S`, or merge without --sign.",
    }),
  gitStopped: (words: readonly string[]): DelegationError =>
    makeError({
      code: "GIT_FAILED",
      message: `git ${words.join(" ")} was stopped`,
      advice: "Nothing is lost: the folder it read is kept. Continue with `ambit resume`.",
      recoverable: true,
    }),
  importGivenUp: (id: string, reason: string): DelegationError =>
    makeError({
      code: "WORK_NOT_IMPORTED",
      message: `The work of ${id} is kept in its folder, but not imported: ${reason}`,
      advice: `Look at the folder, then continue with \`ambit resume ${id}\`; \`ambit doctor\` shows where it is.`,
      recoverable: true,
    }),
  refChangeRefused: (refs: readonly string[], reason?: string): DelegationError =>
    makeError({
      code: "REF_CHANGE_REFUSED",
      message: `Git refused to move ${refs.join(", ")}${reason === undefined ? "" : `: ${reason}`}`,
      advice: "Another process may be working on the same branch; `ambit doctor` shows who holds what.",
      recoverable: true,
    }),
  unrelatedHistories: (ours: string, theirs: string): DelegationError =>
    makeError({
      code: "UNRELATED_HISTORIES",
      message: `${ours} and ${theirs} have no commit in common`,
      advice: "The branch was rewritten after the work began; start the story again from it.",
    }),
  branchExists: (branch: string, commit: string, checkout: string | undefined): DelegationError =>
    makeError({
      code: checkout === undefined ? "BRANCH_EXISTS" : "BRANCH_CHECKED_OUT",
      message: `The branch ${branch} already exists at ${commit}, ${checkout === undefined ? "not checked out anywhere" : `checked out in ${checkout}`}`,
      advice: "If its work is no longer needed, remove it with `ambit clean`, then try again.",
      recoverable: true,
    }),
  lockBusy: (file: string, waitedMs: number): DelegationError =>
    makeError({
      code: "WORKSPACE_LOCK_BUSY",
      message: `Another process has held ${file} for more than ${String(waitedMs / 1000)} s`,
      advice: "Find it with `ambit doctor`, end it, and try again.",
      recoverable: true,
    }),
  notFetched: (url: string, reason: string, cause: unknown): DelegationError =>
    makeError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${url} was not fetched: ${reason}. Nothing was written.`,
      advice: "Check the address. If it asks for a password, clone it yourself and name the folder.",
      cause,
    }),
  notPublished: (url: string, reason: string, cause: unknown): DelegationError =>
    makeError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${url} did not accept the template: ${reason}.`,
      advice:
        "Run the command again if somebody else has published in the meantime; otherwise check that you may push there.",
      cause,
    }),
  tooManyTemplates: (url: string, count: number, maxFiles: number): DelegationError =>
    makeError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${url} holds ${count} templates; at most ${maxFiles} can be added. Nothing was written.`,
      advice: "Clone it and name one file, or a folder with fewer templates.",
    }),

  invalidId: (id: string): DelegationError =>
    makeError({
      code: "INVALID_WORKSPACE_ID",
      message: `"${id}" cannot name a workspace`,
      advice: "Use letters, digits, '-', '_' and '.', starting with a letter or digit.",
    }),
  notFound: (id: string): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_FOUND",
      message: `${id} has no workspace`,
      advice: "It may have been released already; its work is kept under refs/ambit/work.",
    }),
  recordBroken: (path: string, cause: unknown): DelegationError =>
    makeError({
      code: "WORKSPACE_RECORD_BROKEN",
      message: `${path} cannot be read: ${readErrorMessage(cause)}`,
      advice: "Look at the workspace it describes, then remove both with `ambit doctor --fix`.",
      cause,
    }),
  workspaceExists: (path: string): DelegationError =>
    makeError({
      code: "WORKSPACE_EXISTS",
      message: `There is already a workspace at ${path}`,
      advice: "Release it, or see what it holds with `ambit doctor`.",
      recoverable: true,
    }),
  worktreeNameTaken: (path: string): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_MADE",
      message: `Git already has another worktree with the name of ${path}`,
      advice: "`git worktree list` shows it; `ambit doctor` lists leftovers.",
    }),
  setUpFailed: (
    path: string,
    failure: { readonly reason: string; readonly tail: string; readonly cause?: unknown },
  ): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_MADE",
      message: `workspace.setup failed in ${path}: ${failure.reason}${failure.tail === "" ? "" : `\n${failure.tail}`}`,
      advice: "Run the command yourself in a fresh checkout, then correct it or `workspace.setup`.",
      recoverable: true,
      cause: failure.cause,
    }),
  dependenciesNotCopied: (folder: string, output: string): DelegationError =>
    makeError({
      code: "DEPENDENCIES_NOT_COPIED",
      message: `Copying ${folder} failed: ${output}`,
      advice: "Free disk space, or set a `workspace.setup` command that installs the dependencies.",
      recoverable: true,
    }),
  mountFailed: (command: string, output: string): DelegationError =>
    makeError({
      code: "MOUNT_FAILED",
      message: `${command} failed: ${output}`,
      advice: "Dependency folders are copied where they cannot be mounted; `ambit doctor` shows which.",
      recoverable: true,
    }),
  templateRemoved: (path: string | undefined): DelegationError =>
    makeError({
      code: "MOUNT_FAILED",
      message: `${path ?? "A template"} was removed while it was being mounted`,
      advice: "Try again; templates are created again when they are needed.",
      recoverable: true,
    }),
  noFreePorts: (blocks: number, directory: string): DelegationError =>
    makeError({
      code: "NO_FREE_PORTS",
      message: `All ${String(blocks)} port blocks are claimed in ${directory} or in use`,
      advice: "Release workspaces that are no longer needed with `ambit clean`.",
      recoverable: true,
    }),

  workspaceGone: (path: string): DelegationError =>
    makeError({
      code: "WORKSPACE_GONE",
      message: `The workspace ${path} no longer exists`,
      advice: UNCOMMITTED_LOST,
    }),
  changesGone: (path: string): DelegationError =>
    makeError({
      code: "WORKSPACE_GONE",
      message: `The changes made in ${path} no longer exist`,
      advice: UNCOMMITTED_LOST,
    }),
  cloneGone: (path: string): DelegationError =>
    makeError({
      code: "WORKSPACE_GONE",
      message: `The clone ${path} no longer exists`,
      advice: "Its content cannot be recovered.",
    }),
  waitingCheckoutTampered: (path: string, how: string): DelegationError =>
    makeError({
      ...describeTampering(path, how),
      advice: "It is not used again; remove it with `ambit doctor --fix`.",
    }),
  workspaceTampered: (path: string, how: string): DelegationError =>
    makeError({
      ...describeTampering(path, how),
      advice: "Its work is kept under refs/ambit/work; give the rest of the task to a new worker.",
    }),
  notSaved: (code: ErrorCode, path: string, reason: string): DelegationError =>
    makeError({
      code,
      message: `The workspace ${path} was not changed: ${reason}`,
      advice: "Import its work first, then try again.",
      recoverable: true,
    }),
  candidateChanged: (path: string, times: number): DelegationError =>
    makeError({
      code: "WORKSPACE_TAMPERED",
      message: `Another program changed the files that checks ran on in ${path}, ${times} times`,
      advice:
        "Look for a worker that writes below .git/ambit; in the sandbox (`isolation: sandbox`) it cannot.",
      recoverable: true,
    }),
  slotNotClean: (path: string, reason: string): DelegationError =>
    makeError({
      code: "SLOT_NOT_CLEAN",
      message: `The checkout ${path} cannot be used again: ${reason}`,
      advice: "You need not do anything: it is removed and another one is created.",
      recoverable: true,
    }),
  workNotImported: (id: string, path: string): DelegationError =>
    makeError({
      code: "WORK_NOT_IMPORTED",
      message: `The work of ${id} in ${path} has not been imported, so it is kept`,
      advice: "Import it first, or look at it and delete the folder yourself.",
      recoverable: true,
    }),
  objectFolderUnusable: (repository: string): DelegationError =>
    makeError({
      code: "WORKSPACE_UNSUPPORTED",
      message: `${repository} borrows objects from a folder with a line break in its name`,
      advice: "Rename the folder, or choose `isolation: worktree`.",
    }),
  workNotPacked: (path: string, reason: string, logs: string): DelegationError =>
    makeError({
      code: "HAND_OVER_REFUSED",
      message: `The work in ${path} could not be packed: ${reason}`,
      advice: `The files are still there; see ${logs}.`,
      recoverable: true,
    }),
  handOverRefused: (reason: string, cause?: unknown): DelegationError =>
    makeError({
      code: "HAND_OVER_REFUSED",
      message: `The work handed over by the sandbox was refused: ${reason}`,
      advice: "Nothing was changed; the worker's files are still in its clone.",
      recoverable: true,
      cause,
    }),
};

function describeTampering(path: string, how: string) {
  return {
    code: how === "folder-gone" ? "WORKSPACE_GONE" : "WORKSPACE_TAMPERED",
    message: `The checkout ${path} is not as Ambit created it: ${how}`,
    recoverable: true,
  } as const;
}
