import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import { isRecord } from "../../contract/lenient.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { readErrors } from "./read-errors.ts";
import { readRegistry } from "./read-registry.ts";

const MOST_EVENTS = 20_000;
const MOST_KEPT = 1000;

/**
 * `registry.json` and `errors.json` in the state folder, for programs that read them. Views of the journal, which is
 * what counts: one that cannot be written is a note and nothing more.
 */
export async function exportRecords(tools: RunTools, story: string): Promise<void> {
  const { store, stateDirectory } = tools;
  try {
    const entries = await readRegistry(store, story);
    const fresh = Object.fromEntries(entries.map((entry) => [entry.session_id, entry]));
    const registry = join(stateDirectory, "registry.json");
    const known = readJson(registry);
    const merged = Object.entries({ ...(isRecord(known) ? known : {}), ...fresh }).slice(-MOST_KEPT);
    write(registry, Object.fromEntries(merged));
    write(join(stateDirectory, "errors.json"), {
      errors: (await readErrors(store, { events: MOST_EVENTS })).slice(-MOST_KEPT),
    });
  } catch (error) {
    const data = { text: `registry.json or errors.json was not written: ${messageOf(error)}`.slice(0, 2000) };
    await store.record({ type: "note-added", story, delegation: story, attempt: 0, data });
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Not there yet, or broken by hand: it is written anew.
    return undefined;
  }
}

function write(file: string, value: unknown): void {
  const beside = `${file}.${randomBase36(8)}`;
  writeFileSync(beside, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}
