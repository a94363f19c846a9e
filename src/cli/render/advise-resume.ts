import { safeText } from "../../base/safe-text.ts";

/** The advice that every surface gives about open work without a supervisor. */
export function adviseResume(story: string): string {
  return `No supervisor is running, so the work is interrupted. Continue it: ambit resume ${safeText(story)}`;
}
