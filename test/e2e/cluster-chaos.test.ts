import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const LIMIT_MS = 240_000;

/** A small run of `npm run test:cluster`, which has the large ones and the controls. */
it(
  "loses nothing, does nothing twice and keeps its limit while machines are killed and offers are lost (R196)",
  async () => {
    const size = ["--nodes", "2", "--slots", "4", "--at-once", "6", "--limit", "3", "--agent-seconds", "4-8"];
    const chaos = ["--kill-every", "8", "--minutes", "0.25", "--lease", "10", "--drain-minutes", "3"];
    const child = spawn(process.execPath, ["scripts/run-ts.mjs", "test/slow/cluster.ts", ...size, ...chaos], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect([status, said]).toEqual([0, expect.stringContaining("\n0 faults\n")]);
    expect(said).toMatch(/[1-9]\d* machines killed/);
  },
  LIMIT_MS,
);
