import { readErrorMessage } from "../../base/delegation-error.ts";
import { chainHash, emptyChainHash } from "../model/hash-chain.ts";
import type { Database } from "./database.ts";

export interface CopiedChain {
  readonly events: number;
  /** Why it ends there; undefined if nothing follows. */
  readonly stoppedBy: string | undefined;
}

/** Copies events one by one for as long as they can be read and each link of the chain holds. */
export function copyChain(source: Database, target: Database): CopiedChain {
  let [seq, hash] = [0, emptyChainHash];
  for (;;) {
    try {
      const row = source.row("SELECT type, story, delegation, body, hash FROM events WHERE seq = ?", [
        seq + 1,
      ]);
      if (row === undefined) return { events: seq, stoppedBy: findLater(source, seq) };
      const [body, next] = [String(row.get("body")), String(row.get("hash"))];
      if (chainHash(hash, body) !== next)
        return { events: seq, stoppedBy: `event ${seq + 1} is not what was written` };
      const delegation = row.get("delegation");
      target.run("INSERT INTO events (seq, type, story, delegation, body, hash) VALUES (?, ?, ?, ?, ?, ?)", [
        seq + 1,
        String(row.get("type")),
        String(row.get("story")),
        typeof delegation === "string" ? delegation : null,
        body,
        next,
      ]);
      [seq, hash] = [seq + 1, next];
    } catch (error) {
      return { events: seq, stoppedBy: readErrorMessage(error) };
    }
  }
}

function findLater(source: Database, seq: number): string | undefined {
  const later = source.number("SELECT EXISTS (SELECT 1 FROM events WHERE seq > ?) AS value", [seq]);
  return later > 0 ? `event ${seq + 1} is missing` : undefined;
}
