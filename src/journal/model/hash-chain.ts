import { createHash } from "node:crypto";

/** The hash that the first event is chained to. */
export const emptyChainHash: string = "0".repeat(64);

/** SHA-256 over the previous hash and the exact stored text: changing any byte breaks every later link. */
export function chainHash(previous: string, body: string): string {
  return createHash("sha256").update(previous).update("\n").update(body).digest("hex");
}
