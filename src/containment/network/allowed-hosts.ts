import type { Service } from "./plan-relay.ts";

/** Finds out whether `host:port`, as a client asks for it, is among the hosts; `*.example.org` stands for all below. */
export function findAllowed(asked: string, hosts: readonly Service[]): Service | undefined {
  const at = asked.lastIndexOf(":");
  const host = asked
    .slice(0, at)
    .replaceAll(/^\[|\]$/g, "")
    .toLowerCase();
  const port = Number(asked.slice(at + 1));
  const isAllowed = hosts.some((one) => one.port === port && isNamed(host, one.host.toLowerCase()));
  return at > 0 && isAllowed ? { host, port } : undefined;
}

function isNamed(host: string, name: string): boolean {
  return name.startsWith("*.")
    ? host.endsWith(name.slice(1)) && host.length > name.length - 1
    : host === name;
}
