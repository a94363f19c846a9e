import type { ProcessEnd } from "../adapter-types/agent-adapter.ts";

/** How a program ended, to follow its name. */
export function describeExit({ code, signal }: Pick<ProcessEnd, "code" | "signal">): string {
  return signal === null ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;
}
