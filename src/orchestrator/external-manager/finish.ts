import type { Delegation } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";

const LONGEST_SUMMARY = 500;

/**
 * A manager from outside says that it is done. There is no return of it to be judged: its own files were never ours,
 * and its workers were proven one by one.
 */
export function finishOutside(
  engine: Engine,
  { id, story, openWorkers }: Delegation,
  fields: Readonly<Record<string, unknown>>,
): object {
  const { summary } = fields;
  engine.outside.finish(id, typeof summary === "string" ? summary.slice(0, LONGEST_SUMMARY).trim() : "");
  const rest =
    openWorkers === 0 ? "The story ends now" : `It ends when its ${openWorkers} open worker(s) have`;
  const advice = `${rest}. Completed work is on ambit/${story}; the person takes it with ambit merge ${story}.`;
  return { accepted: true, codes: [], problems: [], warnings: [], advice };
}
