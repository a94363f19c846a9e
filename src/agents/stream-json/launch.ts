import { dirname } from "node:path";
import type { RunSpec } from "../adapter-types/agent-adapter.ts";

/** The name our MCP server has in every agent's settings. */
export const MCP_SERVER = "ambit";

/** A delegation may take hours and our server keeps its own deadlines; no client's shorter one may cut it off. */
export const MAX_TOOL_CALL_MS = 24 * 60 * 60 * 1000;

/** Slow to start is not gone: a machine under load needs its time. */
export const MAX_MCP_START_MS = 60_000;

/** Ways out of a network that has only some. */
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

/** What starts the CLI: its name, or the definition's own program with the arguments that come before ours. */
export function chooseProgram(spec: RunSpec, name: string): readonly string[] {
  const [program, ...rest] = spec.command ?? [];
  return program === undefined || program === "" ? [name] : [program, ...rest];
}

/** Folders outside its workspace that it has to write: every CLI keeps its own tools out of them unless told. */
export function writableFolders(spec: RunSpec): readonly string[] {
  return [...new Set([dirname(spec.returnFile), dirname(spec.handoverFile), ...(spec.writable ?? [])])];
}
