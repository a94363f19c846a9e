import { dirname } from "node:path";
import type { RunSpec } from "../adapter-types/agent-adapter.ts";

/** The name of our MCP server in every agent's settings. */
export const MCP_SERVER = "ambit";

/** A delegation may take hours, and our server enforces its own deadlines: no client may cancel a call earlier. */
export const MAX_TOOL_CALL_MS = 24 * 60 * 60 * 1000;

/** A machine under load may need this long to start our server. */
export const MAX_MCP_START_MS = 60_000;

/** Proxy and certificate settings of restricted networks. */
export const NETWORK_NAMES: readonly string[] = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

/** The command that starts the CLI: its name, or the definition's program and arguments, which precede ours. */
export function chooseProgram(spec: RunSpec, name: string): readonly string[] {
  const [program, ...rest] = spec.command ?? [];
  return program === undefined || program === "" ? [name] : [program, ...rest];
}

/** Folders outside its workspace that it must write: each CLI refuses them unless they are listed. */
export function writableFolders(spec: RunSpec): readonly string[] {
  return [...new Set([dirname(spec.returnFile), dirname(spec.handoverFile), ...(spec.writable ?? [])])];
}
