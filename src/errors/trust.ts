import type { DelegationError } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { makeError } from "./make-error.ts";

/** Files that the command named; `ambit trust` looks at them only if it is given the same. */
interface NamedFiles {
  readonly prd?: string | undefined;
  readonly config?: string | undefined;
}

function advise({ prd, config }: NamedFiles = {}): string {
  const ofPrd = prd === undefined ? "" : ` --prd ${quoteExcerpt(prd)}`;
  const ofConfig = config === undefined ? "" : ` --config ${quoteExcerpt(config)}`;
  const command = `ambit trust${ofPrd}${ofConfig}`;
  return `Read them with ${command} --show, then run ${command}; in CI set AMBIT_TRUST=1.`;
}

const MAX_SHOWN = 8;
const MAX_LENGTH = 100;

/** The decision whether a project may run what it names. */
export const trustErrors = {
  notTrusted: (things: readonly string[], isChanged: boolean, files: NamedFiles): DelegationError => {
    const shown = things.slice(0, MAX_SHOWN).map((thing) => `\n  ${quoteExcerpt(thing, MAX_LENGTH)}`);
    const rest = things.length > MAX_SHOWN ? `\n  and ${things.length - MAX_SHOWN} more` : "";
    const why = isChanged ? "changed since you trusted it" : "names things that you have not allowed to run";
    return makeError({
      code: "PROJECT_NOT_TRUSTED",
      message: `Nothing was started: this project ${why}:${shown.join("")}${rest}`,
      advice: advise(files),
    });
  },
  declined: (): DelegationError =>
    makeError({
      code: "PROJECT_NOT_TRUSTED",
      message: "Nothing was started: you did not trust this project.",
      advice: advise(),
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
