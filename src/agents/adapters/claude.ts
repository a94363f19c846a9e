import type { AgentAdapter } from "../adapter.ts";
import { buildClaude } from "./claude/build.ts";
import { parseClaude } from "./claude/parse.ts";
import { settleClaude } from "./claude/settle.ts";

/** Claude Code, driven by `claude -p` with its event stream. */
export const claudeAdapter: AgentAdapter = {
  name: "claude",
  provider: "anthropic",
  capabilities: { mcp: true, resume: true, liveUsage: true, windDown: false, repair: true, tools: true },
  build: buildClaude,
  parse: parseClaude,
  settle: settleClaude,
};
