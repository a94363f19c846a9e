import { safeText } from "../../base/safe-text.ts";

/** The advice that every surface gives about open work without a supervisor. */
export function adviseResume(story: string): string {
  return `No supervisor is running, so nothing moves on. Continue it: ambit resume ${safeText(story)}`;
}
