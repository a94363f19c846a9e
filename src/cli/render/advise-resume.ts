import { safeText } from "../../base/safe-text.ts";

/** What every surface says of open work that no process drives. */
export function adviseResume(story: string): string {
  return `No supervisor is running, so nothing moves on. Continue it: ambit resume ${safeText(story)}`;
}
