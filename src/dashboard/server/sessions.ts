import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN_BYTES = 32;
/** Browsers that may be signed in at once; the oldest has to open the link again. */
const MOST_SESSIONS = 32;

/** One token for each start of the dashboard, and the browsers that have shown it. */
export class Sessions {
  readonly token: string = secret();
  /** Digests alone: what is looked up is never compared character by character. */
  readonly #open = new Set<string>();
  readonly #cookie: string;

  /** Cookies know no ports: two dashboards must not overwrite each other's. */
  constructor(port: number) {
    this.#cookie = `ambit-${port}`;
  }

  /** The cookie for whoever shows the token; undefined for everybody else. */
  open(token: string): string | undefined {
    if (!isSame(token, this.token)) return undefined;
    const id = secret();
    this.#open.add(digest(id).toString("hex"));
    const [oldest] = this.#open;
    if (this.#open.size > MOST_SESSIONS && oldest !== undefined) this.#open.delete(oldest);
    return `${this.#cookie}=${id}; Path=/; HttpOnly; SameSite=Strict`;
  }

  has(cookies: string | undefined): boolean {
    const id = readCookie(cookies ?? "", this.#cookie);
    return id !== undefined && this.#open.has(digest(id).toString("hex"));
  }
}

function secret(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function readCookie(cookies: string, name: string): string | undefined {
  for (const part of cookies.split(";")) {
    const [key = "", ...rest] = part.trim().split("=");
    if (key === name) return rest.join("=");
  }
  return undefined;
}
