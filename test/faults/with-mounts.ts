import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const WHOLE_FILE_MS = 180_000;

/**
 * Root declares the tests as they are. Anyone else runs the same file once more as root of a user namespace, where
 * mounting is allowed; where even that is not, the test fails.
 */
export function withMounts(testFile: string, declare: () => void): void {
  if (process.getuid?.() === 0) return declare();
  it(
    "this file passes inside a user namespace, where an ordinary user may mount",
    () => {
      const file = relative(process.cwd(), fileURLToPath(testFile));
      const words = ["--user", "--map-root-user", "--mount", process.execPath];
      const vitest = ["node_modules/vitest/vitest.mjs", "run", file, "--reporter=verbose"];
      const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
      const run = spawnSync("unshare", [...words, ...vitest], { encoding: "utf8", env });
      expect(run.status, run.stdout + run.stderr).toBe(0);
      expect(run.stdout).toMatch(/Tests +[1-9]\d* passed/);
    },
    WHOLE_FILE_MS,
  );
}
