import { DelegationError } from "../../base/delegation-error.ts";
import { explainFailure, type Failed } from "../../guards/verdict.ts";

export function noSuchTask(id: string, dir: string): DelegationError {
  if (/^\d+$/.test(id))
    return new DelegationError({
      code: "TASK_NOT_FOUND",
      message: `Task ${id} not found in TODO.md (${dir}/TODO.md and ${dir}/state.json).`,
      recommendation: "ambit task list shows what there is; ambit task add makes one. Nothing was started.",
    });
  return new DelegationError({
    code: "INVALID_TASK_NUMBER",
    message: `"${id.slice(0, 60)}" is not a task number.`,
    recommendation: "Give a whole number such as 197; ambit task list shows them. Nothing was started.",
  });
}

export function archived(id: string): DelegationError {
  return new DelegationError({
    code: "TASK_NOT_FOUND",
    message: `Task ${id} is archived, so nothing is done for it.`,
    recommendation: `Bring it back first: ambit task recover ${id}`,
  });
}

export function beingWorkedOn(task: string, story: string): DelegationError {
  return new DelegationError({
    code: "STORY_EXISTS",
    message: `Task ${task} is being worked on already, by ${story}.`,
    recommendation: `Watch it with ambit attach ${story}, or stop it with ambit stop ${story}.`,
  });
}

export function planExists(task: string, plan: string): DelegationError {
  return new DelegationError({
    code: "PLAN_EXISTS",
    message: `Plan already exists at ${plan}.`,
    recommendation: `Write a new version with ambit revise ${task}, or carry it out with ambit implement ${task}.`,
  });
}

export function moveRefused(move: {
  readonly task: string;
  readonly command: string;
  readonly from: string;
  readonly to: string;
}): DelegationError {
  const { task, command, from, to } = move;
  return new DelegationError({
    code: "ILLEGAL_TRANSITION",
    message: `Task ${task} is ${from}; ${command} would make it ${to}, which cannot follow.`,
    recommendation: `ambit task show ${task} says where it stands; ambit task status sets it by hand.`,
  });
}

export function noWorkflows(): DelegationError {
  return new DelegationError({
    code: "INTERNAL",
    message: "This runtime was put together without the workflow commands.",
    recommendation: "Use the supervisor or createRuntime, which have them.",
  });
}

export function unknownCommand(command: string): DelegationError {
  return new DelegationError({
    code: "CONFIG_INVALID",
    message: `There is no definition of the command ${command}.`,
    recommendation: `Describe it in .ambit/commands/${command}.md with routing: in its front matter.`,
  });
}

/** A definition that leads to nobody, or to somebody nobody knows. */
export function nobodyRouted(command: string, file: string, agent: string | undefined): DelegationError {
  const where = file === "" ? `the built-in ${command}` : file;
  return new DelegationError({
    code: "AGENT_NOT_FOUND",
    message:
      agent === undefined
        ? `The routing of ${where} names no agent for this task.`
        : `The routing of ${where} leads to ${agent}, and there is no such agent.`,
    recommendation:
      agent === undefined
        ? `Add default: or target_agent: to it, or name one with --agent.`
        : `Describe it in .ambit/agents/${agent}.md, or name another one with --agent; ambit agents list shows them.`,
  });
}

/** All that the limits say against it; the first is the primary reason (C6). */
export function limitsRefused(failures: readonly [Failed, ...Failed[]]): DelegationError {
  const [first] = failures;
  return new DelegationError({
    code: first.code,
    message: failures.map(explainFailure).join("\n"),
    recommendation: first.suggestion,
  });
}

export function notMergeable(continues: string, files: readonly string[], again: string): DelegationError {
  return new DelegationError({
    code: "MERGE_CONFLICT",
    message: `What ${continues} left contradicts your files: ${files.slice(0, 20).join(", ")}.`,
    recommendation: `Bring the two together on delegation/${continues}, or begin anew: ${again} --fresh`,
  });
}
