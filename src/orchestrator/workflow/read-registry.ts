import { isRecord } from "../../contract/lenient.ts";
import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { workflowOf } from "../delegation/kind.ts";

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

const MOST_EVENTS = 5000;

/** A view of the journal: an entry is never deleted, it moves to a terminal state (C19). Empty for other stories. */
export async function readRegistry(reader: StoreReader, story: string): Promise<readonly RegistryEntry[]> {
  const tree = await reader.storyTree(story);
  const root = tree.find(({ parent }) => parent === null);
  const facts = root === undefined ? undefined : workflowOf(root);
  if (root === undefined || facts === undefined) return [];
  const events = (await reader.newestEvents(MOST_EVENTS, { story, delegation: root.id })).map(({ body }) =>
    journalEventSchema.parse(JSON.parse(body)),
  );
  const entryOf = (delegation: Delegation): RegistryEntry => {
    const entry = describeEntry(delegation, facts);
    if (delegation.parent !== root.id) return { ...entry, is_command: false };
    return { ...entry, is_command: true, command_stages: stagesOf(delegation, events) };
  };
  return tree.filter(({ parent }) => parent !== null).map(entryOf);
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
    status: statusOf(delegation),
    delegation_depth: depth,
    delegation_path: path,
    delegation_id: id,
  };
}

/** The words of R160; a timeout that left something to go on from is partial (C19). */
function statusOf({ state, outcome, filesChanged }: Delegation): string {
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
};

function stagesOf(worker: Delegation, events: readonly JournalEvent[]): CommandStages {
  const postflight = events.findLast(isPostflight);
  const completed = postflight === undefined ? stageOf(worker) - 1 : 7;
  return {
    current_stage: Math.min(completed + 1, 7),
    stages_completed: Array.from({ length: completed }, (_, index) => index + 1),
    stage_7_completed: postflight !== undefined,
    stage_7_artifacts: postflight === undefined ? NOT_YET : flagsOf(postflight.data.fields),
  };
}

/** Parse, preflight and route are over once there is a worker; prepare is, once it runs. */
function stageOf({ state }: Delegation): number {
  if (state === "queued") return 4;
  if (state === "running" || state === "parked") return 5;
  return state === "closed" ? 7 : 6;
}

type TaskChanged = Extract<JournalEvent, { type: "task-changed" }>;

function isPostflight(event: JournalEvent): event is TaskChanged {
  return event.type === "task-changed" && isRecord(event.data.fields["postflight"]);
}

function flagsOf(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, boolean>> {
  const { postflight } = fields;
  if (!isRecord(postflight)) return NOT_YET;
  return Object.fromEntries(Object.keys(NOT_YET).map((name) => [name, postflight[name] === true]));
}
