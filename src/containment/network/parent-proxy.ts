/** The proxy that this machine uses for a host; undefined if it connects directly. */
export type FindProxy = (host: string) => URL | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the usual variables. Only proxies that speak plain HTTP are used. */
export function readParentProxy(environment: Environment): FindProxy {
  const read = (name: string): string => environment[name] ?? environment[name.toUpperCase()] ?? "";
  const address = read("https_proxy") || read("all_proxy") || read("http_proxy");
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  const direct = read("no_proxy")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  if (proxy?.protocol !== "http:") return () => undefined;
  return (host) => (direct.some((name) => isCovered(host, name)) ? undefined : proxy);
}

/** `example.org` and `.example.org` cover all names below. */
function isCovered(host: string, name: string): boolean {
  const bare = name.replace(/^\*?\./, "");
  return name === "*" || host === bare || host.endsWith(`.${bare}`);
}
