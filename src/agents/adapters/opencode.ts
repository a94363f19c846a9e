import type { AgentAdapter } from "../adapter.ts";
import { buildOpencode } from "./opencode/build.ts";
import { parseOpencode } from "./opencode/parse.ts";
import { settleOpencode } from "./opencode/settle.ts";

/** OpenCode, driven by `opencode run --format json`. */
export const opencodeAdapter: AgentAdapter = {
  name: "opencode",
  provider: "opencode",
  capabilities: { mcp: true, resume: true, liveUsage: true, windDown: false, repair: true },
  build: buildOpencode,
  parse: parseOpencode,
  settle: settleOpencode,
};
