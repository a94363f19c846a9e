import { journalEventSchema } from "../../contract/journal-event.ts";
import { clusterErrors } from "../../errors/cluster.ts";
import { chainHash } from "../model/hash-chain.ts";
import { applyEvent } from "../sqlite/apply-event.ts";
import type { Database } from "../sqlite/database.ts";
import { readHead } from "../sqlite/read-head.ts";
import type { Head, News } from "./remote-journal.ts";

/**
 * Brings this machine's tables forward by the fetched events, inside the current transaction, and returns their new head.
 * Every link of the chain is recomputed, so that decisions are based only on events as they were written.
 */
export function foldEvents(database: Database, news: News, place: string): Head {
  let head: Head = readHead(database);
  for (const { seq, body, hash } of news.events) {
    // Another process of this machine was faster.
    if (seq <= head.seq) continue;
    if (seq !== head.seq + 1 || chainHash(head.hash, body) !== hash) throw diverged(head, news, place);
    const event = journalEventSchema.safeParse(JSON.parse(body));
    if (!event.success) throw clusterErrors.tooNew(place, `event ${seq} is unknown here`);
    const { type, story, delegation } = event.data;
    database.run("INSERT INTO events (seq, type, story, delegation, body, hash) VALUES (?, ?, ?, ?, ?, ?)", [
      seq,
      type,
      story,
      delegation,
      body,
      hash,
    ]);
    applyEvent(database, event.data);
    head = { seq, hash };
  }
  return head;
}

/** Refuses tables that are ahead of the journal or differ from it. */
export function requireSameHead(here: Head, news: News, place: string): void {
  if (here.seq !== news.head.seq || here.hash !== news.head.hash) throw diverged(here, news, place);
}

function diverged(here: Head, news: News, place: string): Error {
  return clusterErrors.diverged(place, { here: here.seq, there: news.head.seq });
}
