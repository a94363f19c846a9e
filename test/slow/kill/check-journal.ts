import { DatabaseSync } from "@photostructure/sqlite";
import { openReader } from "../../../src/journal/open-reader.ts";
import { verifyJournal } from "../../../src/journal/verify-journal.ts";
import { createModel, type Model, type PlainEvent } from "./model.ts";
import { globalConcurrency } from "./writer.ts";

export interface Examination {
  readonly events: number;
  readonly delegations: number;
  readonly closed: number;
  readonly refused: number;
  readonly lost: number;
  readonly acknowledged: number;
  readonly faults: readonly string[];
}

/** Judges a store after the killing: from the stored texts alone, with rules written a second time. */
export async function examine(file: string, acks: readonly string[]): Promise<Examination> {
  const model = createModel(globalConcurrency);
  await replay(file, model);
  const missing = acks
    .filter((line) => !model.proofs.has(line))
    .map((line) => `acknowledged and missing: ${line}`);
  return {
    events: model.seq,
    delegations: model.delegations.size,
    closed: model.closed,
    refused: model.refused,
    lost: model.lost,
    acknowledged: acks.length,
    faults: [...model.faults, ...missing, ...checkVerdict(file), ...checkPages(file)],
  };
}

async function replay(file: string, model: Model): Promise<void> {
  const reader = openReader(file);
  if (reader === undefined) throw new Error("there is no store");
  for (let cursor = 0; ;) {
    const page = await reader.eventsAfter(cursor, 1000);
    for (const { body } of page.events) {
      const event: PlainEvent = JSON.parse(body);
      model.apply(event);
    }
    if (page.events.length === 0) break;
    cursor = page.cursor;
  }
  await reader.close();
}

function checkVerdict(file: string): string[] {
  const verdict = verifyJournal(file);
  return [
    ...(verdict.firstBad === undefined
      ? []
      : [`chain broken at ${verdict.firstBad.seq}: ${verdict.firstBad.reason}`]),
    ...verdict.differingProjections.map((name) => `projection ${name} differs from a replay`),
  ];
}

function checkPages(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const answer = JSON.stringify(database.prepare("PRAGMA integrity_check").all());
    return answer === '[{"integrity_check":"ok"}]' ? [] : [`integrity_check: ${answer.slice(0, 300)}`];
  } finally {
    database.close();
  }
}
