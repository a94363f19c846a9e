import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Messages between managers, workers and people. */
export const mailboxErrors = {
  unusableMessage: (problems: string): DelegationError =>
    makeError({
      code: "MESSAGE_INVALID",
      message: `The message was not sent. ${problems}`,
      advice:
        'Send for example {"type":"task_progress","progress_summary":"87 of 127 tests pass"} or {"type":"clarification_request","question":"uuid or bigint?"}.',
      recoverable: true,
    }),
  wrongDirection: (type: string, recipient: string): DelegationError =>
    makeError({
      code: "MESSAGE_INVALID",
      message: `${type} goes from a manager to its worker, not to a ${recipient}.`,
      advice: "Send clarification_request, task_status or task_progress instead; nothing was sent.",
      recoverable: true,
    }),
  noRecipient: (why: string): DelegationError =>
    makeError({
      code: "RECIPIENT_NOT_FOUND",
      message: why,
      advice: "Write to manager, to person, or to one of your own workers by delegation_id or agent name.",
      recoverable: true,
    }),
  recipientEnded: (id: string, outcome: string): DelegationError =>
    makeError({
      code: "RECIPIENT_NOT_FOUND",
      message: `${id} has ended ${outcome} and cannot receive messages.`,
      advice: "Look at its work with result and diff, or delegate the task again.",
      recoverable: true,
    }),
  /** The same for a person, who continues the work in another way. */
  recipientEndedForPerson: (id: string, outcome: string): DelegationError =>
    makeError({
      code: "RECIPIENT_NOT_FOUND",
      message: `${id} has ended ${outcome} and cannot receive messages.`,
      advice: `Continue its work with ambit resume ${id}, with your message as --note.`,
    }),
  mailboxFull: (to: string, unread: number): DelegationError =>
    makeError({
      code: "MAILBOX_FULL",
      message: `${to} has ${unread} unread messages and accepts no more.`,
      advice: "Continue your work; say it in your return, or after they have been read.",
      recoverable: true,
    }),
};
