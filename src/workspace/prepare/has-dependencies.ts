import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import type { SlotRecord } from "../records/record.ts";
import { buildTemplateKey } from "./dependency-template.ts";
import type { FoundDependency } from "./find-dependencies.ts";

/** Whether a waiting checkout holds all the dependencies the user has now, in their current state. */
export function hasDependencies(record: SlotRecord, found: readonly FoundDependency[]): boolean {
  const key = buildTemplateKey(found);
  const signatures = new Map(found.map(({ path, signature }) => [path, signature]));
  const areCurrent = record.dependencies.every(
    ({ path, way, source }) => source === (way === "overlay" ? key : signatures.get(path)),
  );
  // A folder of the commit itself was not brought, but exists.
  return areCurrent && found.every(({ path }) => pathExists(join(record.path, path)));
}
