import { acpAdapter } from "../../src/agents/adapters/acp/adapter.ts";
import { claudeAdapter } from "../../src/agents/adapters/claude/program.ts";
import { codexAdapter } from "../../src/agents/adapters/codex/program.ts";
import { commandAdapter } from "../../src/agents/adapters/command/adapter.ts";
import { geminiAdapter } from "../../src/agents/adapters/gemini/program.ts";
import { opencodeAdapter } from "../../src/agents/adapters/opencode/program.ts";
import { scriptedAdapter } from "../../src/agents/adapters/scripted/adapter.ts";
import { describeAdapter } from "./conformance.ts";

describeAdapter(claudeAdapter, {
  hasEvents: true,
  program: "claude",
  samples: [
    "claude-stream-json.jsonl",
    "claude-mcp-idle-timeout.jsonl",
    "claude-result-api-error.jsonl",
    "claude-result-json-schema-missed-but-success.jsonl",
    "claude-result-json-schema-ok.jsonl",
    "claude-result-max-budget.jsonl",
    "claude-result-max-turns.jsonl",
    "claude-result-permission-denied.jsonl",
    "claude-result-resumed-cumulative-cost.jsonl",
    "claude-result-sigint-exit0.jsonl",
    "claude-tool-search-hides-mcp.jsonl",
  ],
});

describeAdapter(codexAdapter, {
  hasEvents: true,
  program: "codex",
  samples: [
    "codex-exec.jsonl",
    "codex-mcp-needs-approval.jsonl",
    "codex-mcp-timeout.jsonl",
    "codex-resume-cumulative-usage.jsonl",
    "codex-resume-first-run.jsonl",
    "codex-turn-failed.jsonl",
  ],
});

describeAdapter(geminiAdapter, {
  hasEvents: true,
  program: "gemini",
  samples: [
    "gemini-stream-json.jsonl",
    "gemini-api-error.jsonl",
    "gemini-json.jsonl",
    "gemini-loop-detected-exit0.jsonl",
    "gemini-turn-limit-exit53.jsonl",
  ],
});

describeAdapter(opencodeAdapter, {
  hasEvents: true,
  program: "opencode",
  samples: [
    "opencode-run.jsonl",
    "opencode-api-error-exit1.jsonl",
    "opencode-doom-loop.jsonl",
    "opencode-permission-auto-rejected-exit0.jsonl",
  ],
});

describeAdapter(commandAdapter, { hasEvents: false, samples: [] });
describeAdapter(scriptedAdapter(["node", "ambit.js", "__worker"]), { hasEvents: false, samples: [] });
describeAdapter(acpAdapter(["node", "ambit.js", "__acp"]), {
  hasEvents: true,
  isIndirect: true,
  samples: [],
});
