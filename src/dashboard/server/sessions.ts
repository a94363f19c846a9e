import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN_BYTES = 32;
/** Browsers that may be signed in at once; the oldest has to open the link again. */
const MAX_SESSIONS = 32;

/** One token for each start of the dashboard, and the browsers that have shown it. */
export class Sessions {
  readonly token: string = createSecret();
  /** Only digests are kept, so a lookup never compares a secret character by character. */
  readonly #open = new Set<string>();
  readonly #cookie: string;
  readonly #metricsKey: string;

  /** Cookies ignore the port, so the name contains it: two dashboards must not overwrite each other's cookie. */
  constructor(port: number, metricsKey: string) {
    this.#cookie = `ambit-${port}`;
    this.#metricsKey = metricsKey;
  }

  /** Whether an `Authorization` header has the key for figures, which stays the same over starts. */
  isMetricsKey(authorization: string | undefined): boolean {
    const [scheme = "", key = ""] = (authorization ?? "").split(" ");
    return scheme.toLowerCase() === "bearer" && isSameSecret(key, this.#metricsKey);
  }

  /** The cookie for a browser that sends the right token; undefined otherwise. */
  signIn(token: string): string | undefined {
    if (!isSameSecret(token, this.token)) return undefined;
    const id = createSecret();
    this.#open.add(hashText(id).toString("hex"));
    const [oldest] = this.#open;
    if (this.#open.size > MAX_SESSIONS && oldest !== undefined) this.#open.delete(oldest);
    return `${this.#cookie}=${id}; Path=/; HttpOnly; SameSite=Strict`;
  }

  isSignedIn(cookies: string | undefined): boolean {
    const id = readCookie(cookies ?? "", this.#cookie);
    return id !== undefined && this.#open.has(hashText(id).toString("hex"));
  }
}

function createSecret(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hashText(given), hashText(expected));
}

function hashText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function readCookie(cookies: string, name: string): string | undefined {
  for (const part of cookies.split(";")) {
    const [key = "", ...rest] = part.trim().split("=");
    if (key === name) return rest.join("=");
  }
  return undefined;
}
