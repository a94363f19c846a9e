import { agentCarriers, type Carrier } from "../../agents/agent-programs.ts";

type Row = readonly [kind: Carrier["kind"], path: string, what: string, source: string];

/**
 * Everything in a project that makes a program run something by itself, a row each. The rows of agents with an adapter
 * are in their folders. A list is never complete; a new program needs a row here and one in
 * `test/attacks/untrusted-project.test.ts`.
 */
const rows: readonly Row[] = [
  ["folder", ".ambit/agents", "agents", "README.md"],
  ["folder", ".ambit/commands", "commands", "README.md"],
  ["folder", ".ambit/templates", "templates, whose criteria are commands", "README.md"],
  ["folder", ".ambit/workflows", "workflows", "README.md"],
  ["fields", ".mcp.json", "MCP servers", "modelcontextprotocol.io"],
  ["fields", "mcp.json", "MCP servers", "modelcontextprotocol.io"],
  ["folder", ".agents/skills", "skills", "agentskills.io"],
  ["fields", ".qwen/settings.json", "MCP servers, hooks, tool commands", "qwenlm.github.io/qwen-code-docs"],
  ["file", ".qwen/.env", "variables", "qwenlm.github.io/qwen-code-docs"],
  ["folder", ".qwen/agents", "agents", "qwenlm.github.io/qwen-code-docs"],
  ["folder", ".qwen/commands", "commands", "qwenlm.github.io/qwen-code-docs"],
  ["folder", ".qwen/extensions", "extensions", "qwenlm.github.io/qwen-code-docs"],
  ["folder", ".qwen/skills", "skills", "qwenlm.github.io/qwen-code-docs"],
  ["fields", ".cursor/mcp.json", "MCP servers", "cursor.com/docs/context/mcp"],
  ["fields", ".cursor/cli.json", "permissions", "cursor.com/docs/cli/reference/configuration"],
  ["fields", ".cursor/hooks.json", "hooks", "cursor.com/docs/agent/hooks"],
  ["folder", ".cursor/hooks", "hooks", "cursor.com/docs/agent/hooks"],
  ["folder", ".cursor/commands", "commands", "cursor.com/docs/context/commands"],
  [
    "fields",
    ".vscode/mcp.json",
    "MCP servers",
    "code.visualstudio.com/docs/copilot/customization/mcp-servers",
  ],
  ["fields", ".github/mcp.json", "MCP servers", "docs.github.com/copilot/concepts/agents/about-copilot-cli"],
  ["folder", ".github/hooks", "hooks", "docs.github.com/copilot/concepts/agents/about-copilot-cli"],
  [
    "fields",
    ".copilot/mcp-config.json",
    "MCP servers",
    "docs.github.com/copilot/concepts/agents/about-copilot-cli",
  ],
  ["fields", ".kimi/mcp.json", "MCP servers", "github.com/MoonshotAI/kimi-cli"],
  ["fields", ".grok/settings.json", "MCP servers", "github.com/superagent-ai/grok-cli"],
  ["fields", ".pi/settings.json", "extensions, packages", "github.com/badlogic/pi-mono"],
  ["folder", ".pi/extensions", "extensions", "github.com/badlogic/pi-mono"],
  ["folder", ".pi/skills", "skills", "github.com/badlogic/pi-mono"],
  ["folder", ".goose", "extensions, recipes", "block.github.io/goose/docs"],
  ["fields", "crush.json", "MCP servers, language servers", "github.com/charmbracelet/crush"],
  ["fields", ".crush.json", "MCP servers, language servers", "github.com/charmbracelet/crush"],
  ["fields", ".amp/settings.json", "MCP servers, tools", "ampcode.com/manual"],
  ["folder", ".agents/toolboxes", "tools", "ampcode.com/manual"],
  ["fields", ".factory/mcp.json", "MCP servers", "docs.factory.ai"],
  ["fields", ".factory/settings.json", "hooks", "docs.factory.ai"],
  ["folder", ".factory/hooks", "hooks", "docs.factory.ai"],
  ["folder", ".factory/droids", "agents", "docs.factory.ai"],
  ["folder", ".factory/commands", "commands", "docs.factory.ai"],
  ["fields", ".kiro/settings/mcp.json", "MCP servers", "kiro.dev/docs/mcp"],
  ["folder", ".kiro/agents", "agents, hooks", "kiro.dev/docs/cli/custom-agents"],
  ["folder", ".kiro/hooks", "hooks", "kiro.dev/docs/hooks"],
  ["fields", ".amazonq/mcp.json", "MCP servers", "docs.aws.amazon.com/amazonq/latest/qdeveloper-ug"],
  ["folder", ".amazonq/cli-agents", "agents, hooks", "docs.aws.amazon.com/amazonq/latest/qdeveloper-ug"],
  ["fields", ".augment/settings.json", "MCP servers, hooks", "docs.augmentcode.com"],
  ["file", ".openhands/setup.sh", "setup", "docs.all-hands.dev"],
  ["file", ".openhands/pre-commit.sh", "checks", "docs.all-hands.dev"],
  ["folder", ".junie/mcp", "MCP servers", "jetbrains.com/help/junie"],
  ["file", ".aider.conf.yml", "test and lint commands", "aider.chat/docs/config/aider_conf.html"],
];

export const carriers: readonly Carrier[] = [
  ...rows.map(([kind, path, what, source]): Carrier => ({ kind, path, what, source, harmless: ["$schema"] })),
  ...agentCarriers,
];
