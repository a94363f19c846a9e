import { exitCode } from "../../../contract/exit-code.ts";
import type { JournalEvent } from "../../../contract/journal-event.ts";
import type { WorkflowCommand } from "../../../contract/workflow-request.ts";
import type { SupervisorClient } from "../../../supervisor/client.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber } from "../../option-values.ts";
import { visibleText } from "../../../base/visible-text.ts";
import { followEvents } from "../work/follow-story.ts";
import { onlyPeople } from "../work/only-people.ts";
import { startedSupervisor } from "../work/project-supervisor.ts";
import { readDollars } from "../work/read-story-request.ts";
import { evidenceOf, type WorkflowEvidence } from "./evidence.ts";
import { openedSchema, type Opened } from "./opened.ts";
import { stageOf } from "./stage-lines.ts";
import { describeEnd } from "./workflow-end.ts";

/** Hands a workflow command to the supervisor, shows its seven stages, and follows it to its end. */
export async function runWorkflow(
  command: WorkflowCommand,
  context: CommandContext,
  invocation: Invocation,
): Promise<CommandOutcome> {
  onlyPeople(context, "starts no workflow command");
  const request = readRequest(command, invocation);
  const client = await startedSupervisor(context);
  try {
    const opened = openedSchema.parse(await client.call("workflow", request));
    for (const line of opened.lines) context.progress(visibleText(line));
    for (const warning of opened.warnings) context.warn(visibleText(warning));
    return invocation.flag("detach") ? detached(opened) : await follow(context, client, opened);
  } finally {
    client.close();
  }
}

/** The first word is the task where the command is about one; `review` may be about anything. */
function readRequest(command: WorkflowCommand, invocation: Invocation): object {
  const words = [...invocation.argumentList("words")];
  const isNumber = /^#?\d+$/.test(words[0] ?? "");
  const task =
    command === "review"
      ? isNumber
        ? words.shift()
        : undefined
      : command === "meta"
        ? undefined
        : invocation.argument("task");
  const budget = invocation.option("budget");
  return Object.fromEntries(
    Object.entries({
      command,
      task: task?.replace(/^#/, ""),
      words: words.join(" "),
      agent: invocation.option("agent"),
      language: invocation.option("lang"),
      timeoutSeconds: optionalWholeNumber(invocation, "timeout"),
      budgetMicroUsd: budget === undefined ? undefined : readDollars(budget),
      fresh: invocation.flag("fresh"),
    }).filter(([, value]) => value !== undefined),
  );
}

async function follow(
  context: CommandContext,
  client: SupervisorClient,
  opened: Opened,
): Promise<CommandOutcome> {
  let evidence: WorkflowEvidence | undefined;
  const onEvent = (event: JournalEvent): void => {
    evidence = evidenceOf(event) ?? evidence;
    const line = stageOf(event, opened.story);
    if (line !== undefined) context.progress(visibleText(line));
  };
  const followed = await followEvents(context, client, { story: opened.story, onEvent });
  return describeEnd(followed, opened, evidence);
}

function detached({ story, agent, reason, task }: Opened): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: { story, task, agent, reason, outcome: null },
    text: `${story} is running with ${agent}.\n  watch  ambit attach ${story}\n  stop   ambit stop ${story}`,
  };
}
