import { readErrorMessage } from "../../base/delegation-error.ts";
import type { Postflight, SettledWorkflow as SettledFacts } from "../../contract/settled-workflow.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { TaskStore, TaskUpdate } from "../../tasks/task-store.ts";
import { nameManagerBranch } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkflowTools } from "../ports/workflow-tools.ts";
import { judgeOutcome, listChangedFiles, type Ended } from "./judge-ending.ts";
import { statusAfter } from "./markers.ts";
import { placeDocuments, type Placement } from "./place-documents.ts";
import { settlePlan } from "./settle-plan.ts";
import { readDocumentType } from "./task-documents.ts";

export interface SettledWorkflow extends Pick<
  SettledFacts,
  "postflight" | "status" | "commit" | "taskCommit"
> {
  readonly artifacts: readonly { readonly type: string; readonly path: string }[];
  readonly notes: readonly string[];
  /** The worker said that it was done and left no document. */
  readonly isPhantom: boolean;
}

/**
 * Settles a command by code, never by a model: documents, status, links, evidence (R151, R152). Repeating it after a
 * crash changes no finished part.
 */
export async function settleWorkflow(tools: RunTools, ended: Ended): Promise<SettledWorkflow> {
  const { workflow } = tools;
  const { root, worker, facts } = ended;
  await settlePlan(tools, ended);
  const tip = await tools.git.readBranch(nameManagerBranch(root.id, root.story));
  // A branch at the commit where the work began holds none of it.
  const commit = tip === root.base ? null : tip;
  const artifacts = await findArtifacts(tools, ended, commit);
  const isPhantom = worker.outcome === "completed" && artifacts.length === 0 && mustWriteDocument(facts);
  const placed = await placeProven(workflow, ended, { commit, artifacts });
  const synced = await syncTaskFiles(workflow, ended, { artifacts, isPhantom });
  const { status, notes, ...flags } = synced;
  const own = await commitTaskFiles(workflow, ended, { status, placed });
  return {
    postflight: {
      ...flags,
      git_commit_created: commit !== null || own.commit !== null,
      work_committed: commit !== null,
      task_files_committed: own.commit !== null,
    },
    status,
    artifacts,
    commit,
    taskCommit: own.commit,
    isPhantom,
    notes: [...placed.filter(({ result }) => result === "kept").map(describeKept), ...notes, ...own.notes],
  };
}

/** Commits to the person's branch only the files named here, and only if the project wants it. */
async function commitTaskFiles(
  workflow: WorkflowTools,
  { root, facts }: Ended,
  { status, placed }: { readonly status: string | null; readonly placed: readonly Placement[] },
): Promise<{ readonly commit: string | null; readonly notes: readonly string[] }> {
  const { commit, dir } = await workflow.settings();
  if (!commit || facts.task === null) return { commit: null, notes: [] };
  const documents = placed.filter(({ result }) => result !== "kept").map(({ path }) => path);
  const message = `task ${facts.task}: ${facts.command}, ${status ?? ""}\n\nStory: ${root.story}\n`;
  const paths = [`${dir}/TODO.md`, `${dir}/state.json`, `${facts.folder}/state.json`, ...documents];
  const made = await workflow.commitPaths({ paths, message });
  if (made.status === "committed") return { commit: made.commit, notes: [] };
  return {
    commit: null,
    notes: made.status === "refused" ? [`Task files were not committed: ${made.why}.`] : [],
  };
}

const documentCommands: ReadonlySet<string> = new Set(["research", "plan", "revise", "review"]);

function mustWriteDocument({ command }: WorkflowFacts): boolean {
  return documentCommands.has(command);
}

interface Found {
  readonly commit: string | null;
  readonly artifacts: SettledWorkflow["artifacts"];
}

/** The task's non-empty documents that the worker changed, in the proven work or else in the kept work. */
async function findArtifacts(
  tools: RunTools,
  { worker, workers, facts }: Ended,
  commit: string | null,
): Promise<SettledWorkflow["artifacts"]> {
  const from = commit ?? worker.tip;
  const { folder, ownFiles } = facts;
  const paths = listChangedFiles(workers).filter(
    (path) => path.startsWith(`${folder}/`) && !ownFiles.includes(path),
  );
  if (from === null || paths.length === 0) return [];
  const found = await tools.git.probeFiles(from, paths);
  return paths
    .filter((path) => found.get(path) === "file")
    .map((path) => ({ type: readDocumentType(path), path }));
}

/** Places only proven documents; changes to the project itself come with `ambit merge`. */
async function placeProven(
  workflow: WorkflowTools,
  { root, facts, worker }: Ended,
  { commit, artifacts }: Found,
): Promise<readonly Placement[]> {
  const base = root.base ?? worker.base;
  if (!mustWriteDocument(facts) || worker.outcome !== "completed" || commit === null || base === null)
    return [];
  return placeDocuments(workflow, { paths: artifacts.map(({ path }) => path), commit, base });
}

type CommitFlag = "git_commit_created" | "work_committed" | "task_files_committed";
type Synced = Omit<Postflight, CommitFlag> & Pick<SettledWorkflow, "status" | "notes">;

/** Updates status and links in both files. A failure becomes a note and does not affect the work. */
async function syncTaskFiles(
  workflow: WorkflowTools,
  ended: Ended,
  { artifacts, isPhantom }: Pick<SettledWorkflow, "artifacts" | "isPhantom">,
): Promise<Synced> {
  const { root, facts } = ended;
  const { task, command } = facts;
  if (task === null) return { ...notSynced, status: null, notes: [] };
  const outcome = isPhantom ? "failed" : judgeOutcome(ended);
  const after = statusAfter(command, outcome);
  const links = outcome === "completed" ? artifacts : [];
  const { files, notes, status } = await changeTask(await workflow.tasks(root.story), task, {
    ...(after === undefined ? {} : { status: after }),
    ...(links.length === 0 ? {} : { artifacts: links }),
  });
  const isUpdated = (name: string): boolean => files.some((file) => file.endsWith(`/${name}`));
  return {
    status_sync_manager_invoked: true,
    status_sync_manager_completed: notes.length === 0,
    todo_md_updated: isUpdated("TODO.md"),
    state_json_updated: isUpdated("state.json"),
    status,
    notes,
  };
}

/** Makes one change for everything; repeating it writes nothing. */
async function changeTask(
  tasks: TaskStore,
  task: string,
  update: TaskUpdate,
): Promise<Pick<Synced, "status" | "notes"> & { readonly files: readonly string[] }> {
  try {
    const { filesUpdated, failures } = await tasks.change(task, update);
    const status = tasks.find(task)?.status ?? null;
    return { files: filesUpdated, notes: failures.map(({ message }) => message), status };
  } catch (error) {
    const notes = [`Task ${task} could not be updated: ${readErrorMessage(error)}`];
    return { files: [], notes, status: null };
  }
}

const notSynced = {
  status_sync_manager_invoked: false,
  status_sync_manager_completed: false,
  todo_md_updated: false,
  state_json_updated: false,
} as const;

function describeKept({ path }: Placement): string {
  return `Your own version of ${path} stays; the new one is on the story's branch.`;
}
