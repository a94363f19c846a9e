import { lstatSync, type Stats } from "node:fs";
import { isAbsolute, join } from "node:path";
import { messageOf } from "../../base/delegation-error.ts";
import { safeText } from "../../base/safe-text.ts";
import type { CheckCode, CheckFinding } from "../check-result.ts";

/** A plain file inside the folder with something in it. Links count as absent wherever on the way they are. */
export function checkFile(path: string, folder: string): CheckFinding {
  const found = findFile(path, folder);
  const verdict = found.code === null ? "passed" : "failed";
  const evidence = safeText(`${path} ${found.message}.`);
  return { verdict, code: found.code, evidence, proof: { kind: "file", path, bytes: found.bytes } };
}

interface Found {
  readonly code: CheckCode | null;
  readonly message: string;
  readonly bytes: number | null;
}

function findFile(path: string, folder: string): Found {
  const names = path
    .trim()
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  if (isAbsolute(path.trim())) return absent("ARTIFACT_PATH_ABSOLUTE", "is not relative to the project");
  if (names.includes("..")) return absent("ARTIFACT_PATH_ESCAPES", "leads out of the project");
  let at = folder;
  for (const [index, name] of names.entries()) {
    at = join(at, name);
    const problem = lookAt(at, index === names.length - 1);
    if (problem !== undefined) return problem;
  }
  return absent("FILE_NOT_FOUND", "names no file");
}

/** Undefined while the way goes on. */
function lookAt(path: string, isLast: boolean): Found | undefined {
  const stat = readStat(path);
  if (typeof stat === "string") return absent("CHECK_FAILED", `cannot be looked at: ${stat}`);
  if (stat === undefined) return absent("FILE_NOT_FOUND", "is not there");
  if (stat.isSymbolicLink())
    return absent("ARTIFACT_PATH_ESCAPES", "is reached through a link; only a plain file counts");
  if (!isLast) return stat.isDirectory() ? undefined : absent("FILE_NOT_FOUND", "is not there");
  if (!stat.isFile()) return absent("CHECK_FAILED", "is no plain file");
  if (stat.size === 0) return { code: "ARTIFACT_EMPTY", message: "is empty", bytes: 0 };
  return { code: null, message: `is there, ${stat.size.toLocaleString("en-US")} byte(s)`, bytes: stat.size };
}

function readStat(path: string): Stats | string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A name no file system takes is the name of no file, but why is worth telling.
    return messageOf(error);
  }
}

function absent(code: CheckCode, message: string): Found {
  return { code, message, bytes: null };
}
