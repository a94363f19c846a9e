/** The facts that decide whether a request is accepted; a header is undefined if it was not sent. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly hasSession: boolean;
  /** A program that reads figures has no browser to sign in with. */
  readonly hasMetricsKey: boolean;
}

/** Tests switch single defences off to show what each is for; nothing else does. */
export interface Defences {
  readonly host: boolean;
  readonly origin: boolean;
  readonly session: boolean;
  readonly method: boolean;
}

export const allDefences: Defences = { host: true, origin: true, session: true, method: true };

export interface RequestRefusal {
  readonly status: 401 | 403 | 404 | 405;
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
  /** For 405: the allowed methods. */
  readonly allow?: string;
}

export interface Door {
  /** `name:port` as a browser of this machine writes them. */
  readonly hosts: ReadonlySet<string>;
  readonly defences: Defences;
}

/**
 * Accepts only requests from our own page: with a host name of ours, from our origin, with a session, and with a method
 * that the address supports. A page from elsewhere fails at the first two, whatever name it resolved to this machine.
 */
export function judgeRequest(facts: RequestFacts, { hosts, defences }: Door): RequestRefusal | undefined {
  if (defences.host && !hosts.has(facts.host ?? "")) return wrongHost;
  if (defences.origin && isFromElsewhere(facts)) return wrongOrigin;
  const allowed = listMethods(facts.path);
  if (defences.method && !allowed.includes(facts.method))
    return { ...wrongMethod, allow: allowed.join(", ") };
  if (defences.session && isPrivate(facts.path) && !isKnown(facts)) return noSession;
  return undefined;
}

const writing: ReadonlySet<string> = new Set(["/api/session", "/api/actions"]);

function listMethods(path: string): readonly string[] {
  return writing.has(path) ? ["POST"] : ["GET", "HEAD"];
}

const METRICS = "/metrics";

/** The key opens the figures and nothing else. */
function isKnown({ path, hasSession, hasMetricsKey }: RequestFacts): boolean {
  return hasSession || (path === METRICS && hasMetricsKey);
}

/** The app itself contains no data; only the API and the figures do. */
function isPrivate(path: string): boolean {
  return isApi(path) && path !== "/api/session";
}

function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/") || path === METRICS;
}

/**
 * A browser sends the origin with every request that can change something; without it, the browser at least says whether
 * the request came from another site. Pages from other ports of this machine count as other sites.
 */
function isFromElsewhere({ method, path, host, origin, fetchSite }: RequestFacts): boolean {
  if (origin !== undefined && origin !== `http://${host ?? ""}`) return true;
  if (!isApi(path)) return false;
  const isReading = method === "GET" || method === "HEAD";
  if (!isReading && origin === undefined) return true;
  return fetchSite !== undefined && fetchSite !== "same-origin" && !(isReading && fetchSite === "none");
}

const wrongHost: RequestRefusal = {
  status: 403,
  code: "HOST_REFUSED",
  message: "This address does not belong to the dashboard.",
  recommendation: "Open the address that ambit dashboard printed.",
};

const wrongOrigin: RequestRefusal = {
  status: 403,
  code: "ORIGIN_REFUSED",
  message: "The request came from another page.",
  recommendation: "Use the dashboard's own page.",
};

const wrongMethod: RequestRefusal = {
  status: 405,
  code: "METHOD_REFUSED",
  message: "This cannot be done here.",
  recommendation: "Use the dashboard's own page.",
};

const noSession: RequestRefusal = {
  status: 401,
  code: "SESSION_NEEDED",
  message: "This browser is not signed in.",
  recommendation: "Open the whole link that ambit dashboard printed, including the part after the #.",
};
