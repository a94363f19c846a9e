export interface KnownCli {
  readonly name: string;
  readonly package: string;
  /** How the versions begin that Ambit was tried with. */
  readonly tested: readonly string[];
  readonly logIn: string;
}

const KNOWN: readonly KnownCli[] = [
  { name: "claude", package: "@anthropic-ai/claude-code", tested: ["2.1."], logIn: "claude setup-token" },
  { name: "codex", package: "@openai/codex", tested: ["0.166."], logIn: "codex login" },
  { name: "gemini", package: "@google/gemini-cli", tested: ["0.61."], logIn: "gemini" },
  { name: "opencode", package: "opencode-ai", tested: ["1.18."], logIn: "opencode auth login" },
  { name: "qwen", package: "@qwen-code/qwen-code", tested: ["0.24."], logIn: "qwen" },
  { name: "copilot", package: "@github/copilot", tested: ["1.0."], logIn: "copilot login" },
  { name: "pi", package: "@earendil-works/pi-coding-agent@0.87.1", tested: ["0.87."], logIn: "pi" },
];

export function findKnownCli(name: string): KnownCli | undefined {
  return KNOWN.find((cli) => cli.name === name);
}
