import type { UseCaseEntry } from "./use-case.ts";

/**
 * Everything that can be asked for, by name. Commands, MCP tools, dashboard routes, published `--json` schemas and
 * library methods come from this table; a module is loaded when its use case is called.
 */
export const useCases = {
  diff: {
    summary: "what the work changed",
    isReadOnly: true,
    load: async () => (await import("./diff.ts")).diffUseCase,
  },
} as const satisfies Readonly<Record<string, UseCaseEntry>>;
