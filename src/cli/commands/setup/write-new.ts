import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DelegationError } from "../../../base/delegation-error.ts";
import { codeOf } from "../../input-error.ts";

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Created, never replaced: somebody may have made it a moment ago. Answers whether it was. */
export function writeNew({ path, text }: NewFile): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new DelegationError({
      code: "OUTPUT_UNWRITABLE",
      message: `${path} could not be written (${codeOf(error)})`,
      recommendation: "Check who owns the folder and whether the disk is full.",
      cause: error,
    });
  }
}
