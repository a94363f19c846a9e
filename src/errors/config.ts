import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** Settings and the files they are in. */
export const configErrors = {
  aboveCap: (flag: string, value: number, cap: number): DelegationError =>
    makeError({
      code: "CONFIG_OUT_OF_RANGE",
      message: `${flag} is ${value}; the hard cap is ${cap}`,
      advice: `Give ${flag} a number from 0 to ${cap}.`,
    }),
  noProject: (directory: string): DelegationError =>
    makeError({
      code: "NOT_A_REPOSITORY",
      message: `${directory} is not inside a git repository, so there is no project to configure`,
      advice: "Run git init, use -C <dir>, or set it for yourself with --user.",
    }),
};
