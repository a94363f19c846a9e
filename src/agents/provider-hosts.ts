import type { AcpProgram, ProgramSetup } from "./adapter-types/agent-program.ts";
import { findAcpProgram } from "./adapters/acp/complete-command.ts";
import { agentPrograms, findAgentProgram } from "./adapters/agent-programs.ts";
import { readCommandNames } from "./adapters/command-names.ts";
import { findKnownAgent, startsKnownAgent } from "./adapters/other-programs.ts";
import { KEY_HOSTS } from "./stream-json/provider-names.ts";
import { findKnownAddress } from "./provider-address.ts";

/** A host that an agent has to reach, and its port. */
export interface ProviderHost {
  readonly host: string;
  readonly port: number;
}

export interface HostQuestion {
  /** The variables that the agent gets. */
  readonly given: ProgramSetup["environment"];
  /** Its requests to the model go through our proxy, and must not get past it. */
  readonly isMetered: boolean;
}

const HTTPS_PORT = 443;

/**
 * The hosts without which an agent cannot work: the address that its settings name, else those of its provider, else those of
 * the providers whose keys it gets; none where that is not known. Undefined for programs that are not agents.
 */
export function listProviderHosts(
  adapter: string,
  setup: ProgramSetup,
  { given, isMetered }: HostQuestion,
): readonly ProviderHost[] | undefined {
  const program = findProgram(adapter, setup.command ?? []);
  if (program === undefined) return undefined;
  const usual = (program.hosts ?? []).map((host) => ({ host, port: HTTPS_PORT }));
  const address = readHost(findKnownAddress(adapter, setup)?.upstream ?? "");
  const isUsual = address === undefined || usual.some(({ host }) => host === address.host);
  const wanted = isUsual ? usual : [address];
  const own = (program.findAddresses?.(setup) ?? []).map(readHost).filter((host) => host !== undefined);
  const needed = wanted.length > 0 ? wanted : [...own, ...listHostsOfVariables(given)];
  return isMetered ? needed.filter(({ host }) => host !== address?.host) : needed;
}

/** Undefined for a program that is not an agent. */
function findProgram(
  adapter: string,
  command: readonly string[],
): Pick<AcpProgram, "findAddresses" | "hosts"> | undefined {
  if (adapter === "acp") return findAcpProgram(command);
  if (adapter !== "command") return findAgentProgram(adapter)?.acp;
  const names = readCommandNames(command);
  const known = agentPrograms.find((program) => names.has(program.adapter.name))?.acp;
  return (
    known ?? findKnownAgent(command)?.acp ?? (startsKnownAgent(command) ? findAcpProgram(command) : undefined)
  );
}

/** `OPENAI_BASE_URL`, `AZURE_OPENAI_ENDPOINT`, `OLLAMA_HOST` and their like */
const ADDRESS_NAME = /(?:_URL|_ENDPOINT|_API_BASE|_HOST)$/;

function listHostsOfVariables(environment: ProgramSetup["environment"]): readonly ProviderHost[] {
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  const named = given.filter(([name]) => ADDRESS_NAME.test(name)).map(([, value]) => readHost(value ?? ""));
  const keys = given.flatMap(([name]) => KEY_HOSTS[name] ?? []).map((host) => ({ host, port: HTTPS_PORT }));
  return [...named.filter((host) => host !== undefined), ...keys];
}

function readHost(address: string): ProviderHost | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return undefined;
  const usual = url.protocol === "https:" ? HTTPS_PORT : 80;
  return { host: url.hostname.replaceAll(/^\[|\]$/g, ""), port: url.port === "" ? usual : Number(url.port) };
}
