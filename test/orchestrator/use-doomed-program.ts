import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect } from "vitest";
import type { Doom } from "./open-doomed.ts";

/** A program of this folder that runs a runtime until it kills itself. */
export interface DoomedProgram {
  start(doom: Doom): ChildProcess;
  /** Resolves when it has killed itself. */
  dieAt(doom: Doom): Promise<void>;
}

/** Builds the program before the tests of a file and removes it after them. */
export function useDoomedProgram(source: string): DoomedProgram {
  // Under node_modules, so that packages left outside the bundle are found.
  const program = resolve(`node_modules/.cache/ambit/run/${basename(source, ".ts")}-${process.pid}.mjs`);
  beforeAll(async () => {
    await build({
      entryPoints: [source],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
    });
  });
  afterAll(() => rmSync(program, { force: true }));
  const start = (doom: Doom): ChildProcess =>
    spawn(process.execPath, [program, JSON.stringify(doom)], { stdio: "inherit" });
  return {
    start,
    dieAt: async (doom) => {
      const [code, signal] = await once(start(doom), "exit");
      expect([code, signal]).toEqual([null, "SIGKILL"]);
    },
  };
}
