import { lstatSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { groupDigits } from "../../base/group-digits.ts";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { safeText } from "../../base/safe-text.ts";
import type { CheckCode, CheckFinding } from "../criteria/check-result.ts";

/** Passes for a regular, non-empty file inside the folder. A symbolic link anywhere on the path counts as absent. */
export function checkFile(path: string, folder: string): CheckFinding {
  const found = findRegularFile(path, folder);
  const verdict = found.code === null ? "passed" : "failed";
  const evidence = safeText(`${path} ${found.message}.`);
  return { verdict, code: found.code, evidence, proof: { kind: "file", path, bytes: found.bytes } };
}

interface Found {
  readonly code: CheckCode | null;
  readonly message: string;
  readonly bytes: number | null;
}

function findRegularFile(path: string, folder: string): Found {
  const names = path
    .trim()
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  if (isAbsolute(path.trim()))
    return reportAbsent("ARTIFACT_PATH_ABSOLUTE", "is not relative to the project");
  if (names.includes("..")) return reportAbsent("ARTIFACT_PATH_ESCAPES", "leads out of the project");
  let at = folder;
  for (const [index, name] of names.entries()) {
    at = join(at, name);
    const problem = inspectPathPart(at, index === names.length - 1);
    if (problem !== undefined) return problem;
  }
  return reportAbsent("FILE_NOT_FOUND", "does not name a file");
}

/** Undefined if the next part of the path has to be looked at. */
function inspectPathPart(path: string, isLast: boolean): Found | undefined {
  const stat = readStatOrProblem(path);
  if (typeof stat === "string") return reportAbsent("CHECK_FAILED", `cannot be read: ${stat}`);
  if (stat === undefined) return reportAbsent("FILE_NOT_FOUND", "does not exist");
  if (stat.isSymbolicLink())
    return reportAbsent(
      "ARTIFACT_PATH_ESCAPES",
      "is reached through a symbolic link; only a regular file counts",
    );
  if (!isLast) return stat.isDirectory() ? undefined : reportAbsent("FILE_NOT_FOUND", "does not exist");
  if (!stat.isFile()) return reportAbsent("CHECK_FAILED", "is not a regular file");
  if (stat.size === 0) return { code: "ARTIFACT_EMPTY", message: "is empty", bytes: 0 };
  return {
    code: null,
    message: `exists, ${groupDigits(stat.size)} ${stat.size === 1 ? "byte" : "bytes"}`,
    bytes: stat.size,
  };
}

function readStatOrProblem(path: string): Stats | string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // The file system rejects the name, so the file cannot exist; the reason helps the reader.
    return readErrorMessage(error);
  }
}

function reportAbsent(code: CheckCode, message: string): Found {
  return { code, message, bytes: null };
}
