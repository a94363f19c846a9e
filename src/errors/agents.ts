import { readErrorMessage, type DelegationError } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { makeError } from "./make-error.ts";

const MAX_NAMES = 300;

/** Adapters, agent definitions and the programs behind them. */
export const agentErrors = {
  notFound: (name: string, known: readonly string[]): DelegationError =>
    makeError({
      code: "AGENT_NOT_FOUND",
      message: `There is no agent "${quoteExcerpt(name)}".`,
      advice: `Describe it in .ambit/agents/<name>.md, or name one of: ${quoteExcerpt(known.join(", "), MAX_NAMES)}.`,
    }),
  adapterMissing: (name: string, known: readonly string[]): DelegationError =>
    makeError({
      code: "TOOL_UNAVAILABLE",
      message: `There is no adapter "${name}".`,
      advice: `Use one of: ${known.join(", ")}.`,
    }),
  commandMissing: (agent: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `The agent "${agent}" has no command to run.`,
      advice: "Give one: command: [program, argument, …].",
    }),
  acpCommandMissing: (agent: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `The agent "${agent}" has no command that starts it as an ACP agent.`,
      advice: "Give one: command: [qwen, --acp].",
    }),
  /** `why` follows "but". */
  defaultAgentMissing: (role: string, why: string, example: string): DelegationError =>
    makeError({
      code: "AGENT_NOT_FOUND",
      message: `${role} is built in and runs as the project's default agent, but ${why}.`,
      advice: `Choose one: ambit config set agents.default ${example}; or define ${role} in .ambit/agents/${role}.md.`,
    }),
  definitionUnusable: (file: string, problem: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `The agent definition ${file} is not usable: ${problem}.`,
      advice: "Correct it; ambit agents check shows what is wrong with each definition.",
    }),
  commandDefinitionUnusable: (file: string, problem: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `The command definition ${file} is not usable: ${problem}.`,
      advice: "Correct it, or remove it to use the built-in command.",
    }),
  providerAddressInvalid: (address: string): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `"${address}" is not the address of a provider`,
      advice: "Give an http or https URL.",
    }),
  proxyCannotListen: (cause: unknown): DelegationError =>
    makeError({
      code: "NO_FREE_PORTS",
      message: `The metering proxy cannot listen on loopback: ${readErrorMessage(cause)}`,
      advice: "Free some ports, or switch the proxy off.",
      cause,
    }),
  settingsUnreadable: (file: string, why: string): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `${file} cannot be used: ${why}.`,
      advice: "Check the file; nothing was changed.",
    }),
  settingsUnwritable: (file: string, cause: unknown): DelegationError =>
    makeError({
      code: "OUTPUT_UNWRITABLE",
      message: `${file} was not written: ${readErrorMessage(cause)}`,
      advice: "The file was not changed. Check who owns it and its folder, then try again.",
      cause,
    }),
  settingsNotEditable: (
    file: string,
    { why, at }: { readonly why: string; readonly at: number },
  ): DelegationError =>
    makeError({
      code: "CONFIG_INVALID",
      message: `${file} cannot be changed: ${why} (at character ${at}).`,
      advice: "Correct the file, or add the entry by hand; nothing was changed.",
    }),
};
