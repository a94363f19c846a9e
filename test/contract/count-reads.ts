import { vi } from "vitest";

/** The number of characters that a scanner reads or copies: a measure of its work that does not depend on the machine. */
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
