import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in a time that does not depend on how much of them matches. An empty secret matches nothing. */
export function isSameSecret(given: string, expected: string): boolean {
  return expected !== "" && timingSafeEqual(hashSecret(given), hashSecret(expected));
}

function hashSecret(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
