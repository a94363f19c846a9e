import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Calling tools, and finding out who calls them. */
export const mcpErrors = {
  unknownTool: (name: string, known: readonly string[]): DelegationError =>
    makeError({
      code: "USAGE",
      message: `There is no tool "${name}".`,
      advice: `The tools are: ${known.join(", ")}.`,
      recoverable: true,
    }),
  unknownSubject: (known: readonly string[]): DelegationError =>
    makeError({
      code: "USAGE",
      message: "look needs to know what to show.",
      advice: `Set what to one of: ${known.join(", ")}.`,
      recoverable: true,
    }),
  /** With the commands that continue interrupted stories. */
  noOpenStory: (resumeWith: readonly string[]): DelegationError =>
    makeError({
      code: "STORY_NOT_FOUND",
      message: [
        "You have no open story, so there is nothing to show.",
        ...(resumeWith.length === 0
          ? []
          : [`Other work is interrupted because no supervisor runs; ${resumeWith.join(", ")} continues it.`]),
      ].join(" "),
      advice: "Your next delegate opens one; ambit tree and ambit diff show stories that have ended.",
      recoverable: true,
    }),
  noSocket: (): DelegationError =>
    makeError({
      code: "NOT_A_WORKER",
      message: "AMBIT_TOKEN is set but AMBIT_SOCKET is not.",
      advice: "Start this server with the environment that ambit set.",
    }),
  noToken: (): DelegationError =>
    makeError({
      code: "NOT_A_WORKER",
      message: "This process belongs to a worker, but it has no AMBIT_TOKEN.",
      advice: "Keep the environment that ambit set; a worker cannot open a story of its own.",
    }),
};
