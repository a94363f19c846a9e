import { openProjectRuntime, type ProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import type { runtimeOptions } from "./open-runtime.ts";

/** The event after which a runtime kills itself, and what it runs until then. */
export interface Doom {
  readonly options: ReturnType<typeof runtimeOptions>;
  readonly type: string;
  readonly delegation: string | null;
  readonly story?: unknown;
}

/** A runtime that kills itself right after one event was stored, before anything that would follow from it. */
export async function openDoomed({ options, type, delegation }: Doom): Promise<ProjectRuntime> {
  return openProjectRuntime({
    ...options,
    onQuiet: () => undefined,
    onShutdown: () => undefined,
    onEvent: (event) => {
      if (event.type === type && event.delegation === delegation) process.kill(process.pid, "SIGKILL");
    },
  });
}

export function readDoom(): Doom {
  return JSON.parse(process.argv[2] ?? "{}");
}
