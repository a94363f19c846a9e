import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { DelegationError } from "../../src/base/delegation-error.ts";
import { loadConfig, type ConfigInput } from "../../src/config/load-config.ts";
import type { ConfigEntry } from "../../src/config/model/resolved-config.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A real folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-config-")));
  folders.push(folder);
  return folder;
}

/** A folder with these files, by relative path. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** The one setting a test looks at. */
export async function entryOf(key: string, input: Partial<ConfigInput>): Promise<ConfigEntry | undefined> {
  const { entries } = await loadConfig({ environment: {}, ...input });
  return entries.find((entry) => entry.key === key);
}

/** The error a load ends with. */
export async function errorOf(input: Partial<ConfigInput>): Promise<DelegationError> {
  return refusalOf(loadConfig({ environment: {}, ...input }));
}

export async function refusalOf(attempt: Promise<unknown>): Promise<DelegationError> {
  const outcome: unknown = await attempt.catch((error: unknown) => error);
  if (outcome instanceof DelegationError) return outcome;
  throw new Error(`expected a DelegationError, got ${String(outcome)}`);
}
