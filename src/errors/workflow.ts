import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Workflow commands: research, plan, revise, implement, review, meta. */
export const workflowErrors = {
  unusableCommand: (why: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `The command is not usable: ${why}.`,
      advice: "Correct it and ask again, for example ambit research 197; nothing was started.",
    }),
  taskNotFound: (id: string, dir: string): DelegationError =>
    makeError({
      code: "TASK_NOT_FOUND",
      message: `Task ${id} not found in TODO.md (${dir}/TODO.md and ${dir}/state.json).`,
      advice: "List tasks with ambit task list, or add one with ambit task add. Nothing was started.",
    }),
  notATaskNumber: (id: string): DelegationError =>
    makeError({
      code: "INVALID_TASK_NUMBER",
      message: `"${id.slice(0, 60)}" is not a task number.`,
      advice: "Give a whole number such as 197; ambit task list shows them. Nothing was started.",
    }),
  taskArchived: (id: string): DelegationError =>
    makeError({
      code: "TASK_NOT_FOUND",
      message: `Task ${id} is archived, so no command works on it.`,
      advice: `Bring it back first: ambit task recover ${id}`,
    }),
  taskBusy: (task: string, story: string): DelegationError =>
    makeError({
      code: "STORY_EXISTS",
      message: `${story} is already working on task ${task}.`,
      advice: `Watch it with ambit attach ${story}, or stop it with ambit stop ${story}.`,
    }),
  planExists: (task: string, plan: string): DelegationError =>
    makeError({
      code: "PLAN_EXISTS",
      message: `Plan already exists at ${plan}.`,
      advice: `Write a new version with ambit revise ${task}, or carry it out with ambit implement ${task}.`,
    }),
  moveRefused: (move: {
    readonly task: string;
    readonly command: string;
    readonly from: string;
    readonly to: string;
  }): DelegationError =>
    makeError({
      code: "ILLEGAL_TRANSITION",
      message: `Task ${move.task} is ${move.from}; ${move.command} would make it ${move.to}, which cannot follow.`,
      advice: `See its status with ambit task show ${move.task}; set it by hand with ambit task status.`,
    }),
  commandUndefined: (command: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `The command ${command} has no definition.`,
      advice: `Describe it in .ambit/commands/${command}.md with routing: in its front matter.`,
    }),
  routesToNoAgent: (where: string): DelegationError =>
    makeError({
      code: "AGENT_NOT_FOUND",
      message: `The routing of ${where} names no agent for this task.`,
      advice: "Add default: or target_agent: to it, or name one with --agent.",
    }),
  routesToUnknownAgent: (where: string, agent: string): DelegationError =>
    makeError({
      code: "AGENT_NOT_FOUND",
      message: `The routing of ${where} leads to ${agent}, and there is no such agent.`,
      advice: `Describe it in .ambit/agents/${agent}.md, or name another one with --agent; ambit agents list shows them.`,
    }),
  earlierWorkConflicts: (earlier: {
    readonly worker: string;
    readonly files: readonly string[];
    readonly again: string;
  }): DelegationError =>
    makeError({
      code: "MERGE_CONFLICT",
      message: `The work that ${earlier.worker} left conflicts with your files: ${earlier.files.slice(0, 20).join(", ")}.`,
      advice: `Merge the two on delegation/${earlier.worker}, or start over: ${earlier.again} --fresh`,
    }),
};
