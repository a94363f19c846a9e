import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Reaching the supervisor, owning a project, and what workers ask for over their socket. */
export const supervisorErrors = {
  gone: (): DelegationError =>
    makeError({
      code: "SUPERVISOR_GONE",
      message: "The supervisor of this project has exited.",
      advice: "Run the command again: it starts a new supervisor, which continues where the old one stopped.",
      recoverable: true,
    }),
  /** For a worker, which cannot start another supervisor. */
  goneForWorker: (): DelegationError =>
    makeError({
      code: "SUPERVISOR_GONE",
      message: "The runtime of this story does not answer.",
      advice: "End your turn; you will be resumed when it is back.",
      recoverable: true,
    }),
  /** For an agent that a person started: its next call starts another supervisor. */
  goneForManager: (): DelegationError =>
    makeError({
      code: "SUPERVISOR_GONE",
      message: "The supervisor exited during this call, so your story is interrupted.",
      advice:
        "Call look with what: status. That starts a supervisor, which continues the story; then wait for what you delegated.",
      recoverable: true,
    }),
  notStarted: (logFile: string): DelegationError =>
    makeError({
      code: "SUPERVISOR_GONE",
      message: "The supervisor did not start and left no reason.",
      advice: `Read ${logFile}, then run the command again.`,
      recoverable: true,
    }),
  /** The process was started, has not failed, and owns the project not yet. */
  stillStarting: (logFile: string, afterMs: number): DelegationError =>
    makeError({
      code: "SUPERVISOR_GONE",
      message: `The supervisor was started and does not listen after ${Math.ceil(afterMs / 1000)} s; the machine may be very busy.`,
      advice: `Run the command again: it uses that supervisor as soon as it listens. Its log is ${logFile}.`,
      recoverable: true,
    }),
  stuck: (owner: string): DelegationError =>
    makeError({
      code: "SUPERVISOR_STUCK",
      message: `The supervisor of this project (${owner}) does not answer.`,
      advice:
        "End it with ambit supervisor stop --force. What its workers have written is kept, and the next command continues.",
      recoverable: true,
    }),
  /** Something listens at the socket, and the project's lock has no owner. */
  foreignListener: (socket: string): DelegationError =>
    makeError({
      code: "SUPERVISOR_STUCK",
      message: `A process accepts connections at ${socket} and does not answer. It is not the owner of this project.`,
      advice: `End that process, or remove ${socket}, then run the command again.`,
      recoverable: true,
    }),
  unkillable: (pid: number): DelegationError =>
    makeError({
      code: "SUPERVISOR_STUCK",
      message: `Process ${pid} was killed and has not ended: it waits for the disk or another device.`,
      advice: "Look for what hangs (a network folder, a full or broken disk), then run the command again.",
    }),
  otherVersion: (versions: { readonly running: string; readonly own: string }): DelegationError =>
    makeError({
      code: "SUPERVISOR_VERSION",
      message: `The running supervisor is ambit ${versions.running}; this is ambit ${versions.own}.`,
      advice: "Stop it with ambit supervisor stop; running work is kept and can be resumed.",
      recoverable: true,
    }),
  alreadyOwned: (owner: string): DelegationError =>
    makeError({
      code: "SUPERVISOR_RUNNING",
      message: `Another process owns this project: ${owner}.`,
      advice: "Use it: every ambit command in this project talks to it. Stop it with ambit supervisor stop.",
    }),
  unknownMethod: (method: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `The supervisor does not know "${method}".`,
      advice: "Stop it with ambit supervisor stop; the next command starts the current version.",
    }),
  unknownStory: (id: string): DelegationError =>
    makeError({
      code: "STORY_NOT_FOUND",
      message: `There is no story or delegation ${id} in this project.`,
      advice: "List them with ambit status.",
    }),
  foreignFolder: (folder: string): DelegationError =>
    makeError({
      code: "STORE_UNUSABLE",
      message: `The folder ${folder} belongs to another user, is a link, or lets other users write to it.`,
      advice: "Remove it or correct its owner and mode (0700), then run the command again.",
    }),
  foreignSocket: (path: string): DelegationError =>
    makeError({
      code: "STORE_UNUSABLE",
      message: `${path} is not a socket of this user.`,
      advice: "Remove it, then run the command again.",
    }),
  calledByWorker: (call: string): DelegationError =>
    makeError({
      code: "NOT_A_PERSON",
      message: `Only a person may ask the supervisor for "${call}", and the calling process belongs to a worker.`,
      advice: "Ask with ambit ask, delegate with ambit delegate, or report it in your return.",
    }),
  managedByWorker: (): DelegationError =>
    makeError({
      code: "NOT_A_PERSON",
      message: "A worker cannot manage a story from outside, and AMBIT_TOKEN marks this process as a worker.",
      advice: "Delegate with the token it has.",
    }),
  unknownTask: (id: string): DelegationError =>
    makeError({
      code: "TASK_NOT_FOUND",
      message: `There is no task ${id}, neither on your list nor in the project.`,
      advice: "Call tasks without an id to list them.",
      recoverable: true,
    }),
  nothingKept: ({ id, state }: { readonly id: string; readonly state: string }): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_FOUND",
      message: `${id} is ${state} and has no saved work yet.`,
      advice: "Wait until it has ended, or read its output.",
      recoverable: true,
    }),
};
