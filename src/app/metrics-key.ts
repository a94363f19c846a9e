import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasErrorCode, writeFileAtomically } from "../base/files.ts";
import { checkState, getStateDirectory } from "../project/state-directory.ts";

const KEY_BYTES = 32;
const keyPattern = /^[\w-]{43}$/;

/**
 * The key that a program shows to read the project's figures: made when the dashboard first starts, and the same from
 * then on, so that a scraper is set up once. It answers no question and stops nothing; only the dashboard's link does.
 * Where it cannot be kept, as in a read-only folder, each start makes its own key and shows it to no program.
 */
export function readMetricsKey(projectRoot: string): string {
  const folder = getStateDirectory(projectRoot);
  const { kind } = checkState(folder);
  const isOurs = kind === "ours" || kind === "absent";
  return (isOurs ? readKey(folder) : undefined) ?? makeKey(isOurs ? folder : undefined);
}

function makeKey(folder: string | undefined): string {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  try {
    if (folder !== undefined) keepKey(folder, key);
  } catch {
    // Figures are not worth a dashboard that does not start.
  }
  return key;
}

function keepKey(folder: string, key: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
  writeFileAtomically(join(folder, KEY_NAME), `${key}\n`);
}

const KEY_NAME = "metrics-key";

function readKey(folder: string): string | undefined {
  try {
    const key = readFileSync(join(folder, KEY_NAME), "utf8").trim();
    return keyPattern.test(key) ? key : undefined;
  } catch {
    // There is none yet.
    return undefined;
  }
}
