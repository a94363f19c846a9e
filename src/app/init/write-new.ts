import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inputErrors } from "../../errors/input.ts";

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Creates a file and never replaces one; answers whether it was created. */
export function writeNew({ path, text }: NewFile): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "EEXIST") return false;
    throw inputErrors.notWritten(path, code, error);
  }
}
