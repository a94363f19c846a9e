import { dropUndefined } from "../../base/json.ts";
import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import { readSettledWorkflow } from "../../contract/read-settled-workflow.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { readWorkflowFacts } from "../delegation/kind.ts";

/** One delegation of a workflow command in the form of R157; `command_stages` only for the command's own (R158). */
export interface RegistryEntry {
  readonly session_id: string;
  readonly command: string;
  readonly subagent: string;
  readonly task_number: number | string | null;
  readonly language: string;
  readonly start_time: string;
  readonly timeout: number;
  readonly deadline: string;
  readonly end_time: string | null;
  readonly duration_seconds: number | null;
  readonly status: string;
  readonly delegation_depth: number;
  readonly delegation_path: readonly string[];
  readonly delegation_id: string;
  readonly is_command: boolean;
  readonly command_stages?: CommandStages;
}

export interface CommandStages {
  readonly current_stage: number;
  readonly stages_completed: readonly number[];
  readonly stage_7_completed: boolean;
  readonly stage_7_artifacts: Readonly<Record<string, boolean>>;
}

const MAX_EVENTS = 5000;

/** A view of the journal in which entries reach a terminal state and are never deleted (C19). Empty for other stories. */
export async function readRegistry(
  reader: Pick<StoreReader, "newestEvents" | "storyTree">,
  story: string,
): Promise<readonly RegistryEntry[]> {
  const tree = await reader.storyTree(story);
  const root = tree.find(({ parent }) => parent === null);
  const facts = root === undefined ? undefined : readWorkflowFacts(root);
  if (root === undefined || facts === undefined) return [];
  const events = (await reader.newestEvents(MAX_EVENTS, { story, delegation: root.id })).map(({ body }) =>
    journalEventSchema.parse(JSON.parse(body)),
  );
  const buildEntry = (delegation: Delegation): RegistryEntry => {
    const entry = describeEntry(delegation, facts);
    if (delegation.parent !== root.id) return { ...entry, is_command: false };
    return { ...entry, is_command: true, command_stages: describeStages(delegation, events) };
  };
  return tree.filter(({ parent }) => parent !== null).map(buildEntry);
}

function describeEntry(delegation: Delegation, { command, task, language }: WorkflowFacts) {
  const { sessionId, agent, id, depth, path, timeoutSeconds, startedAt, admittedAt, closedAt } = delegation;
  const start = startedAt ?? admittedAt;
  return {
    session_id: sessionId,
    command,
    subagent: agent ?? id,
    task_number: task !== null && /^\d{1,15}$/.test(task) ? Number(task) : task,
    language,
    start_time: start,
    timeout: timeoutSeconds,
    deadline: new Date(Date.parse(start) + timeoutSeconds * 1000).toISOString(),
    end_time: closedAt,
    duration_seconds:
      closedAt === null ? null : Math.round((Date.parse(closedAt) - Date.parse(start)) / 1000),
    status: readStatus(delegation),
    delegation_depth: depth,
    delegation_path: path,
    delegation_id: id,
  };
}

/** The words of R160; a timeout with kept work is partial (C19). */
function readStatus({ state, outcome, filesChanged }: Delegation): string {
  if (state !== "closed") return "running";
  if (outcome === "timed_out") return filesChanged.length > 0 ? "partial" : "timeout";
  return outcome ?? "failed";
}

const NOT_YET: Readonly<Record<string, boolean>> = {
  status_sync_manager_invoked: false,
  status_sync_manager_completed: false,
  todo_md_updated: false,
  state_json_updated: false,
  git_commit_created: false,
  work_committed: false,
  task_files_committed: false,
};

function describeStages(worker: Delegation, events: readonly JournalEvent[]): CommandStages {
  const postflight = events.map(readSettledWorkflow).findLast((settled) => settled !== undefined)?.postflight;
  const completed = postflight === undefined ? readStage(worker) - 1 : 7;
  return {
    current_stage: Math.min(completed + 1, 7),
    stages_completed: Array.from({ length: completed }, (_, index) => index + 1),
    stage_7_completed: postflight !== undefined,
    stage_7_artifacts: { ...NOT_YET, ...dropUndefined(postflight ?? {}) },
  };
}

/** Parse, preflight and route are over once there is a worker; prepare is over once it runs. */
function readStage({ state }: Delegation): number {
  if (state === "queued") return 4;
  if (state === "running" || state === "parked") return 5;
  return state === "closed" ? 7 : 6;
}
