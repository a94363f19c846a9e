import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod";

const lockEntry = z.looseObject({
  integrity: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
});
type LockEntry = z.output<typeof lockEntry>;

const { packages } = z
  .looseObject({ packages: z.record(z.string(), lockEntry) })
  .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
const entries = Object.entries(packages).filter(([path]) => path !== "");

it("every package that this platform installs, and every one that is shipped, has a hash in the lock file", () => {
  expect(entries.length).toBeGreaterThan(300);
  const without = entries.filter(([, { integrity }]) => integrity === undefined);
  // Binaries of the formatter, the linter and the bundler for other platforms, which npm does not let us leave out.
  const foreign = ({ dev, optional, os, cpu }: LockEntry): boolean =>
    dev === true && optional === true && (os !== undefined || cpu !== undefined);
  expect(without.filter(([, entry]) => !foreign(entry)).map(([path]) => path)).toEqual([]);
  const here = without.filter(([path]) => /linux-x64-gnu|linux-x64$/.test(path));
  expect(here).toEqual([]);
});
