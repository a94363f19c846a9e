import type { DelegationError } from "../base/delegation-error.ts";
import type { ErrorCode } from "../contract/error-code.ts";
import { makeError } from "./make-error.ts";

/** Opening, leading, continuing and answering stories and delegations. */
export const orchestratorErrors = {
  unusableRequest: (problems: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `The request is not usable: ${problems}`,
      advice: "Correct it and ask again; nothing was started.",
    }),
  /** A guard's refusal that stops the whole request. */
  refusedByLimit: (refusal: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly suggestion: string;
  }): DelegationError =>
    makeError({ code: refusal.code, message: refusal.message, advice: refusal.suggestion }),
  noAgentNamed: (): DelegationError =>
    makeError({
      code: "AGENT_NOT_FOUND",
      message: "No agent was named to do the work.",
      advice: "Name an agent with --agent, give a command after --, or set agents.default in ambit.yaml.",
    }),
  programMissing: (name: string): DelegationError =>
    makeError({
      code: "AGENT_NOT_INSTALLED",
      message: `The agent program ${name} is not on this machine's PATH.`,
      advice: `Install ${name}, or name another agent; ambit doctor shows which are installed.`,
    }),
  workspaceGone: (id: string, path: string): DelegationError =>
    makeError({
      code: "WORKSPACE_GONE",
      message: `The workspace ${path} of ${id} no longer exists`,
      advice: `Its saved work is on delegation/${id}; ambit retry ${id} starts over.`,
    }),
  logsGone: (id: string, cause: unknown): DelegationError =>
    makeError({
      code: "WORKSPACE_TAMPERED",
      message: `The folder with the output of ${id} was removed or replaced while it worked`,
      advice: `Its saved work is on delegation/${id}; ambit retry ${id} starts over.`,
      cause,
    }),
  checkReachesCheckout: (file: string, projectRoot: string): DelegationError =>
    makeError({
      code: "CHECK_NOT_RUN",
      message: `the check reaches your own files in ${projectRoot} through ${file}, so it would not prove the work`,
      advice: "Install bubblewrap, or use an environment inside the project, for example ./.venv/bin/pytest.",
    }),
  attemptWithoutRoom: (id: string): DelegationError =>
    makeError({
      code: "DISK_FULL",
      message: `The disk was full when an attempt of ${id} ended without success`,
      advice: `Free some space, then run ambit resume ${id}.`,
      recoverable: true,
    }),
  leaseOver: (id: string): DelegationError =>
    makeError({
      code: "STALE_ATTEMPT",
      message: `Another machine may have begun the next attempt of ${id}, so this one does not start its agent.`,
      advice: `Nothing has to be done. ambit explain ${id} shows the next attempt.`,
      recoverable: true,
    }),
  checkWithoutRoom: (id: string): DelegationError =>
    makeError({
      code: "DISK_FULL",
      message: `The disk was full when a check of ${id} failed`,
      advice: `Free some space, then run ambit resume ${id}.`,
      recoverable: true,
    }),
  attemptReplaced: (id: string): DelegationError =>
    makeError({
      code: "STALE_ATTEMPT",
      message: `This attempt of ${id} was replaced; it can no longer delegate.`,
      advice: "End your turn.",
    }),
  delegationNotFound: (id: string): DelegationError =>
    makeError({
      code: "DELEGATION_NOT_FOUND",
      message: `There is no delegation ${id} in this project.`,
      advice: "List the delegations with ambit status.",
    }),
  approvalNotFound: (id: string): DelegationError =>
    makeError({
      code: "APPROVAL_NOT_FOUND",
      message: `No request with the id ${id} waits for an answer.`,
      advice: "List pending requests with ambit inbox.",
    }),
  wrongAnswer: (asked: {
    readonly id: string;
    readonly kind: string;
    readonly question: string;
  }): DelegationError =>
    makeError({
      code: "USAGE",
      message: `${asked.id} asks: ${asked.question}`,
      advice:
        asked.kind === "clarification"
          ? `Answer it: ambit reply ${asked.id} "…"`
          : `ambit approve ${asked.id}, or ambit reject ${asked.id}.`,
    }),
  notExternallyManaged: (id: string): DelegationError =>
    makeError({
      code: "STORY_NOT_FOUND",
      message: `There is no story ${id} with an external manager.`,
      advice: "Omit the story id to open a new story.",
    }),
  managerNoLongerAccepted: (id: string, state: string): DelegationError =>
    makeError({
      code: "PARENT_NOT_RUNNING",
      message: `${id} has ended or is ending (${state}); it no longer accepts a manager.`,
      advice: "Omit the story id to open a new story.",
    }),
  workRefChanged: (ref: string): DelegationError =>
    makeError({
      code: "REF_CHANGE_REFUSED",
      message: `Another process changed ${ref} at the same moment.`,
      advice: "Ask again; nothing was delegated.",
      recoverable: true,
    }),
  stillOpen: (id: string, state: string): DelegationError =>
    makeError({
      code: "STORY_EXISTS",
      message: `${id} has not ended; it is ${state}.`,
      advice: `Watch it with ambit attach ${id}, or stop it first.`,
    }),
  tooManyFollowUps: (stem: string, max: number): DelegationError =>
    makeError({
      code: "STORY_EXISTS",
      message: `${stem} was continued ${max} times already.`,
      advice: "Start a new story under another id.",
    }),
  noAgentToContinue: (id: string): DelegationError =>
    makeError({
      code: "AGENT_NOT_FOUND",
      message: `${id} had an external manager, an agent that Ambit did not start.`,
      advice: "Continue in that agent, or name the agent that should continue: --agent <name>.",
    }),
  continueByCommand: (run: {
    readonly id: string;
    readonly command: string;
    readonly task: string;
  }): DelegationError =>
    makeError({
      code: "USAGE",
      message: `${run.id} is a run of ${run.command} for task ${run.task}; the command itself continues it.`,
      advice: `Run ambit ${run.command} ${run.task}; add --fresh to start over.`,
    }),
};
