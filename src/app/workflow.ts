import * as z from "zod";
import { visibleText } from "../base/visible-text.ts";
import type { JournalEvent } from "../contract/journal-event.ts";
import { readSettledWorkflow } from "../contract/read-settled-workflow.ts";
import type { SettledWorkflow } from "../contract/settled-workflow.ts";
import { workflowRequestSchema } from "../contract/workflow-request.ts";
import { parseMicroUsd } from "../base/money.ts";
import type { PersonCalls, SupervisorClient } from "../supervisor/client.ts";
import type { AppContext } from "./project/app-context.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import { followStory } from "./follow/follow-story.ts";
import { followedSchema, type FollowedStory } from "./follow/story-ending.ts";
import { defineUseCase } from "./use-case.ts";
import { describeStage } from "./workflow/stage-lines.ts";

const input = () =>
  workflowRequestSchema
    .omit({ budgetMicroUsd: true, isProjectTrusted: true })
    .extend({ budgetUsd: z.number().min(0).optional(), detach: z.boolean().optional() });

const artifactSchema = () => z.looseObject({ type: z.string(), path: z.string() });

const output = () =>
  followedSchema().extend({
    task: z.string().nullable(),
    agent: z.string(),
    reason: z.string().describe("Why this agent"),
    command: z.string().optional(),
    language: z.string().optional(),
    plan: z.string().nullable().optional(),
    timeout_seconds: z.number().optional(),
    task_status: z.string().nullable().optional(),
    artifacts: z.array(artifactSchema()).optional(),
    commit: z.string().nullable().optional(),
    task_commit: z.string().nullable().optional(),
    postflight: z.record(z.string(), z.boolean().optional()).nullable().optional(),
    worker: z.string().nullable().optional().describe("Null until the work is settled"),
  });

export type WorkflowAnswer = z.output<ReturnType<typeof output>>;

type Opened = PersonCalls["workflow"]["answer"];

/** Runs a workflow command for a task: routed to an agent, in seven stages, with its documents and status settled. */
export const workflowUseCase = defineUseCase({
  input,
  output,
  onlyPeople: "never starts a workflow command",
  runsProject: true,
  run: (context, { budgetUsd, detach, ...request }) =>
    withSupervisor(context, async (client) => {
      const budget = budgetUsd === undefined ? {} : { budgetMicroUsd: parseMicroUsd(budgetUsd) };
      const { isProjectTrusted = false } = context;
      const asked = { ...request, ...budget, isProjectTrusted };
      const opened = await client.call("workflow", asked);
      for (const line of opened.lines) context.progress(visibleText(line));
      for (const warning of opened.warnings) context.warn(visibleText(warning));
      if (detach !== true) return followWorkflow(context, client, opened);
      const { story, task, agent, reason } = opened;
      return { story, task, agent, reason, outcome: null };
    }),
});

async function followWorkflow(
  context: AppContext,
  client: SupervisorClient,
  opened: Opened,
): Promise<WorkflowAnswer> {
  const { story } = opened;
  let settled: SettledWorkflow | undefined;
  const onEvent = (event: JournalEvent): void => {
    settled = readSettledWorkflow(event) ?? settled;
    const line = describeStage(event, story);
    if (line !== undefined) context.progress(visibleText(line));
  };
  const followed = await followStory(context, client, { story, onEvent });
  return describeEnd(followed, opened, settled);
}

function describeEnd(
  followed: FollowedStory,
  opened: Opened,
  settled: SettledWorkflow | undefined,
): WorkflowAnswer {
  const { command, task, agent, reason, language, plan } = opened;
  return {
    ...followed,
    command,
    task,
    agent,
    reason,
    language,
    plan,
    timeout_seconds: opened.timeoutSeconds,
    task_status: settled?.status ?? null,
    artifacts: settled?.artifacts ?? [],
    commit: settled?.commit ?? null,
    task_commit: settled?.taskCommit ?? null,
    postflight: settled?.postflight ?? null,
    worker: settled?.worker ?? null,
    ...(settled === undefined ? {} : { branch: findBranch(followed, settled) }),
  };
}

/** Proven work is on the story's branch; unproven work stays on its worker's. */
function findBranch({ story, files_changed: count = 0 }: FollowedStory, settled: SettledWorkflow) {
  if (settled.commit !== null) return `ambit/${story}`;
  return count > 0 ? `delegation/${settled.worker}` : null;
}
