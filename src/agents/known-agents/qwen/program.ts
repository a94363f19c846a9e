import { join } from "node:path";
import { readTextOrEmpty } from "../../../base/files.ts";
import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";
import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { hasAnyField } from "../../stream-json/login-files.ts";

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
    homeFolder: {
      variable: "QWEN_HOME",
      path: ".qwen",
      files: ["settings.json", "oauth_creds.json", ".env"],
    },
    usage: "live",
    hidesRequests: true,
    findProviderAddress: findQwenAddress,
    ownAgents: { tools: ["agent"], isSwitchedOff: true },
  },
};

const VARIABLE = "OPENAI_BASE_URL";

/** Undefined unless it uses a key of the environment: its own settings may name an address, which wins. */
function findQwenAddress({ environment, home }: ProgramSetup): ProviderAddress | undefined {
  const settings = readTextOrEmpty(join(home, ".qwen/settings.json"));
  const hasKey = hasAnyField(environment, ["OPENAI_API_KEY"]);
  if (!hasKey || settings.includes('"baseUrl"') || settings.includes("oauth")) return undefined;
  return addressFromVariable(VARIABLE, environment, "https://api.openai.com/v1");
}
