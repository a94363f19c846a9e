/** What decides whether a request is let in; headers as they came, undefined where there was none. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly hasSession: boolean;
}

/** Each can be left out, so that a test can show what it is for; nothing else ever does. */
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
  /** For 405: what is allowed there. */
  readonly allow?: string;
}

export interface Door {
  /** `name:port` as a browser of this machine writes them. */
  readonly hosts: ReadonlySet<string>;
  readonly defences: Defences;
}

/**
 * Lets in only what a page of ours sends: by a name that is ours, from our own origin, with a session, and by a method
 * the place knows. A page from elsewhere fails already at the first two, whatever name it had resolved to this machine.
 */
export function judgeRequest(facts: RequestFacts, { hosts, defences }: Door): RequestRefusal | undefined {
  if (defences.host && !hosts.has(facts.host ?? "")) return wrongHost;
  if (defences.origin && isFromElsewhere(facts)) return wrongOrigin;
  const allowed = listMethods(facts.path);
  if (defences.method && !allowed.includes(facts.method))
    return { ...wrongMethod, allow: allowed.join(", ") };
  if (defences.session && isPrivate(facts.path) && !facts.hasSession) return noSession;
  return undefined;
}

const writing: ReadonlySet<string> = new Set(["/api/session", "/api/actions"]);

function listMethods(path: string): readonly string[] {
  return writing.has(path) ? ["POST"] : ["GET", "HEAD"];
}

/** The app itself is the same for everybody and holds nothing; only what it asks for does. */
function isPrivate(path: string): boolean {
  return isApi(path) && path !== "/api/session";
}

function isApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/**
 * A browser names the origin of whatever can change something; where it names none, it says at least whether the
 * request came from another site. Pages of other ports of this machine count as others.
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
  recommendation: "Open the whole link that ambit dashboard printed, with what stands after the #.",
};
