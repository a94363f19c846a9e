import { setImmediate as breathe } from "node:timers/promises";
import { chainHash, emptyChainHash } from "../../journal/hash-chain.ts";
import type { StoredEvent, StoreReader } from "../../journal/store.ts";
import type { ChainCheck } from "./types/audit.ts";

const PAGE = 2000;

/** Recomputes every link of the journal's chain, letting others through between pages. */
export async function checkChain(reader: StoreReader | undefined): Promise<ChainCheck> {
  let head = { seq: 0, hash: emptyChainHash };
  if (reader === undefined) return { isIntact: true, events: 0, hash: head.hash, problem: "" };
  for (;;) {
    const { events } = await reader.eventsAfter(head.seq, PAGE);
    for (const event of events) {
      const problem = findFault(event, head);
      if (problem !== "") return { isIntact: false, events: head.seq, hash: head.hash, problem };
      head = event;
    }
    if (events.length < PAGE) return { isIntact: true, events: head.seq, hash: head.hash, problem: "" };
    await breathe();
  }
}

function findFault(event: StoredEvent, head: { readonly seq: number; readonly hash: string }): string {
  const expected = head.seq + 1;
  if (event.seq !== expected) return `event ${expected} is missing`;
  const isSame = chainHash(head.hash, event.body) === event.hash;
  return isSame ? "" : `event ${expected} is not what was written: its text does not match its hash`;
}
