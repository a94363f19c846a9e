import type { AgentAdapter } from "../adapter.ts";
import { buildGemini } from "./gemini/build.ts";
import { parseGemini } from "./gemini/parse.ts";
import { settleGemini } from "./gemini/settle.ts";

/** Gemini CLI, driven by `gemini -p` with its event stream. It tells what it used only when it ends. */
export const geminiAdapter: AgentAdapter = {
  name: "gemini",
  provider: "google",
  capabilities: { mcp: true, resume: true, liveUsage: false, windDown: false, repair: true },
  build: buildGemini,
  parse: parseGemini,
  settle: settleGemini,
};
