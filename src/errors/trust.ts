import type { DelegationError } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { makeError } from "./make-error.ts";

const ADVICE = "Read them with ambit trust --show, then run ambit trust; in CI set AMBIT_TRUST=1.";
const adviceForFile = (prd: string): string => {
  const command = `ambit trust --prd ${quoteExcerpt(prd)}`;
  return `Read them with ${command} --show, then run ${command}; in CI set AMBIT_TRUST=1.`;
};
const MAX_SHOWN = 8;
const MAX_LENGTH = 100;

/** The decision whether a project may run what it names. */
export const trustErrors = {
  notTrusted: (things: readonly string[], isChanged: boolean, prd?: string): DelegationError => {
    const shown = things.slice(0, MAX_SHOWN).map((thing) => `\n  ${quoteExcerpt(thing, MAX_LENGTH)}`);
    const rest = things.length > MAX_SHOWN ? `\n  and ${things.length - MAX_SHOWN} more` : "";
    const why = isChanged ? "changed since you trusted it" : "names things that you have not allowed to run";
    return makeError({
      code: "PROJECT_NOT_TRUSTED",
      message: `Nothing was started: this project ${why}:${shown.join("")}${rest}`,
      advice: prd === undefined ? ADVICE : adviceForFile(prd),
    });
  },
  declined: (): DelegationError =>
    makeError({
      code: "PROJECT_NOT_TRUSTED",
      message: "Nothing was started: you did not trust this project.",
      advice: ADVICE,
    }),
  onlyWholeStory: (story: string): DelegationError =>
    makeError({
      code: "PROJECT_NOT_TRUSTED",
      message: `Nothing was stopped: the rest of ${story} would continue, and you do not trust this project.`,
      advice: `Stop the whole story with ambit stop ${story}, or run ambit trust first.`,
    }),
  changedMeanwhile: (): DelegationError =>
    makeError({
      code: "PROJECT_NOT_TRUSTED",
      message: "The project changed while you were asked, so nothing was trusted.",
      advice: "Look at it again: ambit trust.",
    }),
  noPlace: (): DelegationError =>
    makeError({
      code: "USAGE",
      message: "There is no folder of your own in which the decision can be remembered.",
      advice: "Set HOME or XDG_CONFIG_HOME to a folder outside the project.",
    }),
  folderNotOurs: (folder: string, reason: string): DelegationError =>
    makeError({
      code: "STATE_NOT_OURS",
      message: `The decision cannot be remembered in ${folder}: ${reason}.`,
      advice: "Make it a folder of your own, or set XDG_CONFIG_HOME.",
    }),
};
