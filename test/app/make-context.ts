import type { AppContext } from "../../src/app/use-case.ts";

/** The context of a use case that works in one folder and has no person to talk to. */
export function makeContext(directory: string, more: Partial<AppContext> = {}): AppContext {
  return {
    directory,
    version: "test",
    environment: { PATH: process.env["PATH"] },
    homeDirectory: directory,
    configFile: undefined,
    program: ["false"],
    progress: () => undefined,
    warn: () => undefined,
    ...more,
  };
}
