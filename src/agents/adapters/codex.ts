import type { AgentAdapter } from "../adapter.ts";
import { buildCodex } from "./codex/build.ts";
import { parseCodex } from "./codex/parse.ts";
import { settleCodex } from "./codex/settle.ts";

/** Codex, driven by `codex exec --json`. It tells what it used only when its turn ends. */
export const codexAdapter: AgentAdapter = {
  name: "codex",
  provider: "openai",
  capabilities: { mcp: true, resume: true, liveUsage: false, windDown: false, repair: true },
  build: buildCodex,
  parse: parseCodex,
  settle: settleCodex,
};
