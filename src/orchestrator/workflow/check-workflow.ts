import { DelegationError } from "../../base/delegation-error.ts";
import type { Limits } from "../../contract/limits.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import { canMoveTask } from "../../contract/task.ts";
import type { WorkflowRequest } from "../../contract/workflow-request.ts";
import { workflowErrors } from "../../errors/workflow.ts";
import { renderMarker, type LanguageSources, type StoredTask } from "../../tasks/task.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { WorkflowTools } from "../ports/workflow-tools.ts";
import { renderStatus, statusDuring } from "./markers.ts";
import { findNewestPlan } from "./task-documents.ts";
import { storyPrefix } from "./story-name.ts";

export interface CheckedWorkflow extends WorkflowRequest {
  readonly workflow: WorkflowTools;
  readonly limits: Limits;
  readonly origins: readonly StorySetting[];
  /** `tasks.dir` */
  readonly dir: string;
  readonly subject: Subject | undefined;
  readonly notes: readonly string[];
  readonly missing: readonly string[];
}

/** The task that a command is about. */
export interface Subject {
  readonly task: StoredTask;
  /** `specs/197_slug` */
  readonly folder: string;
  readonly languages: LanguageSources;
  /** Dependencies that are not completed, in words. */
  readonly waitsFor: readonly string[];
}

/** Stage 2: refuses invalid requests before anything is made or spent (R147). Domain rules are the agent's (R58). */
export async function checkWorkflow(tools: RunTools, request: WorkflowRequest): Promise<CheckedWorkflow> {
  const { workflow } = tools;
  const { refusal, notes, missing } = await tools.git.inspect();
  if (refusal !== undefined) throw new DelegationError(refusal);
  const { limits, origins, dir } = await workflow.settings(request.flags);
  const subject = request.task === undefined ? undefined : await findSubject(workflow, request.task);
  if (subject !== undefined) await checkSubject(tools, workflow, { request, subject });
  return { ...request, workflow, limits, origins, dir, subject, notes, missing };
}

async function findSubject(workflow: WorkflowTools, id: string): Promise<Subject> {
  const tasks = await workflow.tasks();
  const task = tasks.find(id);
  if (task === undefined) throw await refuseTask(workflow, id);
  if (task.archived) throw workflowErrors.taskArchived(task.id);
  const languages = tasks.languages(task.id);
  return {
    task,
    folder: tasks.findFolder(task),
    languages,
    waitsFor: task.dependencies.flatMap(describeUnfinished(tasks)),
  };
}

async function refuseTask(workflow: WorkflowTools, id: string): Promise<DelegationError> {
  if (!/^\d+$/.test(id)) return workflowErrors.notATaskNumber(id);
  return workflowErrors.taskNotFound(id, (await workflow.settings()).dir);
}

/** A warning, not a refusal: a person decides whether the task can be done first. */
function describeUnfinished(tasks: TaskStore): (id: string) => readonly string[] {
  return (id) => {
    const found = tasks.find(id);
    if (found === undefined) return [`It depends on task ${id}, which does not exist.`];
    return found.status === "completed" ? [] : [`It depends on task ${id}, which is ${renderStatus(found)}.`];
  };
}

async function checkSubject(
  tools: RunTools,
  { projectRoot }: WorkflowTools,
  { request, subject }: { readonly request: WorkflowRequest; readonly subject: Subject },
): Promise<void> {
  const { command } = request;
  const { task, folder } = subject;
  // One worker per task (R175).
  const prefix = storyPrefix(task.id);
  const busy = (await tools.store.openStories(MAX_OPEN)).find((id) => id.startsWith(prefix));
  if (busy !== undefined) throw workflowErrors.taskBusy(task.id, busy);
  const plan = command === "plan" ? findNewestPlan(projectRoot, folder) : undefined;
  if (plan !== undefined) throw workflowErrors.planExists(task.id, plan);
  const during = statusDuring(command);
  if (during === undefined || task.status === "unknown" || canMoveTask(task.status, during)) return;
  throw workflowErrors.moveRefused({
    task: task.id,
    command,
    from: renderStatus(task),
    to: renderMarker(during),
  });
}

const MAX_OPEN = 10_000;
