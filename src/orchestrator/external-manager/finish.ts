import type { Delegation } from "../../journal/store.ts";
import type { EngineCalls } from "../live/engine-calls.ts";

const MAX_SUMMARY_LENGTH = 500;

/** An external manager finishes its story. It hands in no return: its files are its own, its workers were proven. */
export function finishExternalManager(
  engine: EngineCalls,
  { id, story, openWorkers }: Delegation,
  fields: Readonly<Record<string, unknown>>,
): object {
  const { summary } = fields;
  engine.externalManagers.finish(
    id,
    typeof summary === "string" ? summary.slice(0, MAX_SUMMARY_LENGTH).trim() : "",
  );
  const rest =
    openWorkers === 0 ? "The story ends now" : `It ends when its ${openWorkers} open worker(s) have`;
  const advice = `${rest}. Completed work is on ambit/${story}; the person takes it with ambit merge ${story}.`;
  return { accepted: true, codes: [], problems: [], warnings: [], advice };
}
