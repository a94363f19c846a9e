import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../../base/ids.ts";
import { isThere } from "../files/safe-path.ts";
import { foldersOf } from "../names.ts";
import { listSlots } from "../slots/record.ts";
import { isBeingMade } from "./make-beside.ts";

/** Puts away finished templates that no checkout stands on, but for those in `keep`. */
export function pruneTemplates(stateDirectory: string, keep: ReadonlySet<string>): void {
  const { templates, trash } = foldersOf(stateDirectory);
  if (!isThere(templates)) return;
  const lowers = listSlots(stateDirectory).flatMap(({ record }) =>
    record.layers.flatMap(({ lower }) => lower),
  );
  const unused = readdirSync(templates).filter((name) => {
    const isUsed = lowers.some((lower) => lower.startsWith(`${join(templates, name)}/`));
    return !isUsed && !isBeingMade(name) && !keep.has(name);
  });
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  for (const name of unused) renameSync(join(templates, name), join(trash, `${name}-${randomBase36(8)}`));
}
