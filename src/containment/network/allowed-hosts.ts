import type { Service } from "./plan-relay.ts";

export interface Allowed {
  readonly hosts: readonly Service[];
  /** All hosts except this machine are allowed, too. */
  readonly isOpen?: boolean | undefined;
}

/**
 * Finds out whether `host:port`, as a client asks for it, is among the hosts; `*.example.org` covers all hosts below it.
 */
export function findAllowed(asked: string, { hosts, isOpen = false }: Allowed): Service | undefined {
  const at = asked.lastIndexOf(":");
  const host = asked
    .slice(0, at)
    .replaceAll(/^\[|\]$/g, "")
    .toLowerCase();
  const port = Number(asked.slice(at + 1));
  const isNamed = hosts.some((one) => one.port === port && matchesName(host, one.host.toLowerCase()));
  const isOutside = isOpen && port > 0 && port <= MAX_PORT && !isLoopback(host);
  return at > 0 && (isNamed || isOutside) ? { host, port } : undefined;
}

const MAX_PORT = 65_535;

function matchesName(host: string, name: string): boolean {
  return name.startsWith("*.")
    ? host.endsWith(name.slice(1)) && host.length > name.length - 1
    : host === name;
}

/** The services of this machine are reached at their own ports, or not at all. */
function isLoopback(host: string): boolean {
  if (["localhost", "::1", "::", "0.0.0.0", ""].includes(host) || host.endsWith(".localhost")) return true;
  return /^127\.[\d.]+$/.test(host);
}
