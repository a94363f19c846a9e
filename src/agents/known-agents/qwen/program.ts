import type { KnownAgent } from "../../adapter-types/known-agent.ts";

export const qwenAgent: KnownAgent = {
  name: "qwen",
  probe: { package: "@qwen-code/qwen-code", tested: ["0.24."], logIn: "qwen" },
  acp: {
    names: ["qwen", "qwen-code"],
    arguments: [
      // Otherwise it asks a model whether it may use a tool, which costs time and money. This makes it ask us.
      ["--approval-mode", "default"],
      // Its tool search would hide the tools of our MCP server; the others work after its turn has ended.
      [
        "--exclude-tools",
        "agent",
        "tool_search",
        "ask_user_question",
        "cron_create",
        "cron_list",
        "cron_delete",
        "monitor",
        "loop_wakeup",
      ],
    ],
    pass: ["OPENAI_*", "QWEN_*", "DASHSCOPE_*", "BAILIAN_*", "MODELSCOPE_*", "OPENROUTER_*", "ANTHROPIC_*"],
    // Otherwise its first request is made before our server's tools are known.
    environment: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" },
    usage: "live",
    ownAgents: { tools: ["agent"], isSwitchedOff: true },
  },
};
