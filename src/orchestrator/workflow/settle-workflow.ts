import { messageOf } from "../../base/delegation-error.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";
import type { TaskStore, TaskUpdate } from "../../tasks/task-store.ts";
import { managerBranch } from "../delegation/manager-branch.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkflowTools } from "../project/create-workflow-tools.ts";
import { statusAfter } from "./markers.ts";
import { placeDocuments, type Placement } from "./place-documents.ts";
import { documentType } from "./task-documents.ts";

/** The evidence of what was done after the command (R144). */
export interface Postflight {
  readonly status_sync_manager_invoked: boolean;
  readonly status_sync_manager_completed: boolean;
  readonly todo_md_updated: boolean;
  readonly state_json_updated: boolean;
  readonly git_commit_created: boolean;
}

export interface SettledWorkflow {
  readonly postflight: Postflight;
  /** Where the task stands now; null for a command about no task. */
  readonly status: string | null;
  readonly artifacts: readonly { readonly type: string; readonly path: string }[];
  /** The commit with the work, on the story's branch. */
  readonly commit: string | null;
  /** The commit with the task files on the person's branch, where the project wants one. */
  readonly taskCommit: string | null;
  readonly notes: readonly string[];
  /** It said it was done and left nothing on paper. */
  readonly isPhantom: boolean;
}

export interface Ended {
  readonly root: Delegation;
  readonly worker: Delegation;
  readonly facts: WorkflowFacts;
}

/**
 * What follows a command, done by code and never by a model: documents, status, links, evidence (R151, R152). May be
 * done again after a crash: what is done already is found done.
 */
export async function settleWorkflow(
  tools: RunTools,
  workflow: WorkflowTools,
  ended: Ended,
): Promise<SettledWorkflow> {
  const { root, worker, facts } = ended;
  const tip = await tools.git.readBranch(managerBranch(root.id, root.story));
  // A branch that stands where the work began holds nothing that was done.
  const commit = tip === root.base ? null : tip;
  const artifacts = await findArtifacts(tools, ended, commit);
  const isPhantom = worker.outcome === "completed" && artifacts.length === 0 && owesDocument(facts);
  const placed = await placeProven(workflow, ended, { commit, artifacts });
  const synced = await syncTask(workflow, ended, { artifacts, isPhantom });
  const { status, notes, ...flags } = synced;
  const own = await commitTaskFiles(workflow, ended, { status, placed });
  return {
    postflight: { ...flags, git_commit_created: commit !== null || own.commit !== null },
    status,
    artifacts,
    commit,
    taskCommit: own.commit,
    isPhantom,
    notes: [...placed.filter(({ result }) => result === "kept").map(tellKept), ...notes, ...own.notes],
  };
}

/** By name, where the project wants it; the person's branch is otherwise theirs alone. */
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

function owesDocument({ command }: WorkflowFacts): boolean {
  return documentCommands.has(command);
}

interface Found {
  readonly commit: string | null;
  readonly artifacts: SettledWorkflow["artifacts"];
}

/** Documents of the task that the worker changed and that hold something, in proven work or else in what was kept. */
async function findArtifacts(
  tools: RunTools,
  { worker, facts }: Ended,
  commit: string | null,
): Promise<SettledWorkflow["artifacts"]> {
  const from = commit ?? worker.tip;
  const { folder, ownFiles } = facts;
  const paths = worker.filesChanged.filter(
    (path) => path.startsWith(`${folder}/`) && !ownFiles.includes(path),
  );
  if (from === null || paths.length === 0) return [];
  const found = await tools.git.probeFiles(from, paths);
  return paths
    .filter((path) => found.get(path) === "file")
    .map((path) => ({ type: documentType(path), path }));
}

/** Only what is proven, and only documents: changes to the project itself come with `ambit merge`. */
async function placeProven(
  workflow: WorkflowTools,
  { root, facts, worker }: Ended,
  { commit, artifacts }: Found,
): Promise<readonly Placement[]> {
  const base = root.base ?? worker.base;
  if (!owesDocument(facts) || worker.outcome !== "completed" || commit === null || base === null) return [];
  return placeDocuments(workflow, { paths: artifacts.map(({ path }) => path), commit, base });
}

type Synced = Omit<Postflight, "git_commit_created"> & Pick<SettledWorkflow, "status" | "notes">;

/** Status and links in both files. A store that cannot be written is told, and takes nothing from the work. */
async function syncTask(
  workflow: WorkflowTools,
  { root, worker, facts }: Ended,
  { artifacts, isPhantom }: Pick<SettledWorkflow, "artifacts" | "isPhantom">,
): Promise<Synced> {
  const { task, command } = facts;
  if (task === null) return { ...notSynced, status: null, notes: [] };
  const after = statusAfter(command, isPhantom ? "failed" : (worker.outcome ?? "failed"));
  const links = worker.outcome === "completed" && !isPhantom ? artifacts : [];
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

/** All at once; repeating it writes nothing. */
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
    const notes = [`Task ${task} could not be updated: ${messageOf(error)}`];
    return { files: [], notes, status: null };
  }
}

const notSynced = {
  status_sync_manager_invoked: false,
  status_sync_manager_completed: false,
  todo_md_updated: false,
  state_json_updated: false,
} as const;

function tellKept({ path }: Placement): string {
  return `Your own version of ${path} stays; the new one is on the story's branch.`;
}
