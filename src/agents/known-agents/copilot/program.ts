import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";

export const copilotAgent: KnownAgent = {
  name: "copilot",
  probe: { package: "@github/copilot", tested: ["1.0."], logIn: "copilot login" },
  acp: {
    names: ["copilot"],
    arguments: [["--excluded-tools=task"], ["--no-auto-update"]],
    pass: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"],
    mcpFileArgument: "--additional-mcp-config",
    homeFolder: { variable: "COPILOT_HOME", path: ".copilot", files: ["config.json"] },
    usage: "end",
    hosts: ["api.github.com", "*.githubcopilot.com"],
    findProviderAddress: findCopilotAddress,
    ownAgents: { tools: ["task"], isSwitchedOff: true },
  },
};

const VARIABLE = "COPILOT_PROVIDER_BASE_URL";

/** Only a provider of the user's own can be moved; GitHub's needs its own login. */
function findCopilotAddress({ environment }: ProgramSetup): ProviderAddress | undefined {
  const address = environment[VARIABLE] ?? "";
  return address === "" ? undefined : addressFromVariable(VARIABLE, environment, address);
}
