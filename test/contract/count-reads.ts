import { vi } from "vitest";

/** How many characters a scanner looks at or copies: a bound on its work that does not depend on the machine. */
export function countReads(scan: () => void): number {
  const single = vi.spyOn(String.prototype, "charCodeAt");
  const copied = vi.spyOn(String.prototype, "slice");
  try {
    scan();
    const copies = copied.mock.results.reduce((sum, result) => sum + String(result.value).length, 0);
    return single.mock.calls.length + copies;
  } finally {
    single.mockRestore();
    copied.mockRestore();
  }
}
