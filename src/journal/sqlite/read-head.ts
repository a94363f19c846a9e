import { emptyChainHash } from "../model/hash-chain.ts";
import type { Database } from "./database.ts";

/** Separate from the writer, so that read-only commands need not load the event schemas. */
export function readHead(database: Database): { seq: number; hash: string } {
  const row = database.row("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1");
  const seq = row?.get("seq");
  const hash = row?.get("hash");
  return typeof seq === "number" && typeof hash === "string"
    ? { seq, hash }
    : { seq: 0, hash: emptyChainHash };
}
