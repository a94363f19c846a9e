import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { isRecord } from "../../base/json.ts";
import { addNote } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readErrors } from "./read-errors.ts";
import { readRegistry } from "./read-registry.ts";

const MAX_EVENTS = 20_000;
const MAX_KEPT = 1000;

/**
 * Writes `registry.json` and `errors.json` to the state folder, for programs that read them. They are views of the
 * journal: a failure to write one only becomes a note.
 */
export async function exportRecords(tools: RunTools, story: string): Promise<void> {
  const { store, stateDirectory } = tools;
  try {
    const entries = await readRegistry(store, story);
    const fresh = Object.fromEntries(entries.map((entry) => [entry.session_id, entry]));
    const registry = join(stateDirectory, "registry.json");
    const known = readJson(registry);
    const merged = Object.entries({ ...(isRecord(known) ? known : {}), ...fresh }).slice(-MAX_KEPT);
    writeJson(registry, Object.fromEntries(merged));
    writeJson(join(stateDirectory, "errors.json"), {
      errors: (await readErrors(store, { events: MAX_EVENTS })).slice(-MAX_KEPT),
    });
  } catch (error) {
    const text = `registry.json or errors.json was not written: ${readErrorMessage(error)}`;
    await addNote(tools, { id: story, story, attempt: 0 }, text);
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // The file is missing or broken: it is written from the start.
    return undefined;
  }
}

function writeJson(file: string, value: unknown): void {
  const temporary = `${file}.${randomBase36(8)}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}
