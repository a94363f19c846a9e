import { commandAdapter, settleByText } from "../command/adapter.ts";
import { EXHAUSTED_LINE } from "../command/usage-line.ts";
import type { AgentAdapter } from "../../adapter-types/agent-adapter.ts";

/** The built-in worker of the demo and the tests; its definition's command is `[script file]`. */
export function scriptedAdapter(workerProgram: readonly string[]): AgentAdapter {
  return {
    name: "scripted",
    capabilities: {
      mcp: false,
      resume: false,
      liveUsage: true,
      windDown: false,
      dollars: true,
      repair: true,
    },
    build: (spec) => commandAdapter.build({ ...spec, command: [...workerProgram, ...(spec.command ?? [])] }),
    parse: (line) => commandAdapter.parse(line),
    settle: (exit, events) => {
      const exhausted = events.some((event) => event.kind === "text" && event.text === EXHAUSTED_LINE);
      return { ...settleByText(exit, events), exhausted };
    },
  };
}
