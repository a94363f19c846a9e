import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findShortage,
  computeMinFreeBytes,
  readDiskSpace,
  refuseWithoutSpace,
} from "../../src/base/free-space.ts";

const GIB = 1024 ** 3;

describe("free space", () => {
  it("requires a gigabyte on a large disk and a twentieth of a small one", () => {
    expect([4096 * GIB, 20 * GIB, 10 * GIB, 1000].map(computeMinFreeBytes)).toStrictEqual([
      GIB,
      GIB,
      GIB / 2,
      50,
    ]);
  });

  it("is never short on a disk that is at most 95 % full, however small", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 46 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (total, share) => {
          expect(
            findShortage({ totalBytes: total, availableBytes: Math.ceil(total * share) }),
          ).toBeUndefined();
        },
      ),
    );
  });

  it("is short below the minimum, which the caller may set; an unknown disk passes", () => {
    const small = { totalBytes: 1000, availableBytes: 49 };
    expect(findShortage(small)).toStrictEqual({ availableBytes: 49, leastBytes: 50 });
    expect(findShortage(small, 10)).toBeUndefined();
    expect(findShortage({ totalBytes: 10 * GIB, availableBytes: GIB }, 2 * GIB)).toMatchObject({
      leastBytes: 2 * GIB,
    });
    expect(findShortage({ totalBytes: 0, availableBytes: 0 })).toBeUndefined();
  });

  it("is reported in a refusal with the numbers, the folder and what to do", () => {
    const { availableBytes, totalBytes } = readDiskSpace("/");
    expect(availableBytes).toBeLessThanOrEqual(totalBytes);
    expect(() => refuseWithoutSpace("/", 0)).not.toThrow();
    expect(() => refuseWithoutSpace("/", 2 ** 60)).toThrow(
      expect.objectContaining({
        code: "DISK_FULL",
        message: expect.stringMatching(
          /^The disk of \/ has \S+ \w+ free; this needs at least 1073741824 GiB\.$/,
        ),
        recommendation: expect.stringContaining("Free some space"),
        recoverable: true,
      }),
    );
  });
});
