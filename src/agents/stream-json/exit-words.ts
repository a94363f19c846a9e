import type { ProcessEnd } from "../adapter-types/agent-adapter.ts";

/** Describes how a program ended; the text follows the program's name. */
export function describeExit({ code, signal }: Pick<ProcessEnd, "code" | "signal">): string {
  return signal === null ? `exited with code ${code ?? "unknown"}` : `was ended by ${signal}`;
}
