import { emptyChainHash } from "../model/hash-chain.ts";
import type { Database } from "./database.ts";

/** Apart from the writer, so that commands that only read need not load the schemas of events. */
export function readHead(database: Database): { seq: number; hash: string } {
  const row = database.row("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1");
  const seq = row?.["seq"];
  const hash = row?.["hash"];
  return typeof seq === "number" && typeof hash === "string"
    ? { seq, hash }
    : { seq: 0, hash: emptyChainHash };
}
