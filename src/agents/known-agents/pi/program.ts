import type { KnownAgent } from "../../adapter-types/known-agent.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";
import { findPiAddress, findPiAddresses, piFolder } from "./provider.ts";
import { readPiEvent } from "./read-stream.ts";

export const piAgent: KnownAgent = {
  name: "pi",
  probe: { package: "@earendil-works/pi-coding-agent@0.87.1", tested: ["0.87."], logIn: "pi" },
  acp: {
    names: ["pi-acp"],
    arguments: [],
    pass: [...PROVIDER_NAMES, "PI_*"],
    usage: "never",
    homeFolder: piFolder,
    findAddresses: findPiAddresses,
    findProviderAddress: findPiAddress,
    titlesAreCommands: true,
    hasMcp: false,
    ownAgents: { tools: [], isSwitchedOff: true },
    starts: { program: "pi", variable: "PI_ACP_PI_COMMAND" },
  },
  // It reads the prompt from its input; its bridge is a package of its own.
  definition: { title: "pi", adapter: "command", command: ["pi", "-p", "--mode", "json"] },
  stream: { words: ["--mode", "json"], readEvent: readPiEvent },
};
