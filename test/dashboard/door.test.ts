import { describe, expect, it } from "vitest";
import type { Defences } from "../../src/dashboard/server/judge-request.ts";
import { serveProject, temporaryProject, type Served } from "./served-project.ts";

interface Combination {
  readonly host: string;
  readonly origin: string | undefined;
  readonly session: "right" | "wrong" | "none";
  readonly method: string;
  readonly path: string;
}

/** Our own names, and names that a foreign page could have resolved to this machine. */
const hostsOf = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `evil.example:${port}`,
  "evil.example",
  "127.0.0.1",
];
const originsOf = (port: number): readonly (string | undefined)[] => [
  undefined,
  `http://127.0.0.1:${port}`,
  `http://localhost:${port}`,
  "http://127.0.0.1:9999",
  "https://evil.example",
  "null",
];

function combinationsOf(port: number): readonly Combination[] {
  const reads = combine(port, "/api/project", ["GET", "POST"]);
  const writes = combine(port, "/api/actions", ["POST", "GET", "OPTIONS", "DELETE"]);
  return [...reads, ...writes];
}

function combine(port: number, path: string, methods: readonly string[]): readonly Combination[] {
  return hostsOf(port).flatMap((host) =>
    originsOf(port).flatMap((origin) =>
      (["right", "wrong", "none"] as const).flatMap((session) =>
        methods.map((method) => ({ host, origin, session, method, path })),
      ),
    ),
  );
}

/** The combinations that may pass, written from the promise and not from the code. */
function mayPass({ host, origin, session, method, path }: Combination, port: number): boolean {
  const isOurName = host === `127.0.0.1:${port}` || host === `localhost:${port}`;
  const isOwnPage = origin === `http://${host}`;
  const isRead = path === "/api/project" && method === "GET" && (origin === undefined || isOwnPage);
  const isWrite = path === "/api/actions" && method === "POST" && isOwnPage;
  return isOurName && session === "right" && (isRead || isWrite);
}

/** Whether a request was let in. The action is nonsense, so that the answer to it has the code USAGE. */
async function isLetIn(served: Served, cookie: string, combination: Combination): Promise<boolean> {
  const { host, origin, session, method, path } = combination;
  const cookies = { right: cookie, wrong: `${cookie}x`, none: undefined };
  const answer = await served.ask(path, {
    method,
    headers: {
      host,
      ...(origin === undefined ? {} : { origin }),
      ...(cookies[session] === undefined ? {} : { cookie: cookies[session] }),
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
    },
    ...(method === "POST" ? { body: '{"kind":"nonsense"}' } : {}),
  });
  return answer.status === 200 || answer.body.includes('"USAGE"');
}

async function findWrong(defences: Partial<Defences>): Promise<{ tried: number; wrong: Combination[] }> {
  const served = await serveProject(temporaryProject(), { defences });
  const cookie = await served.signIn();
  const combinations = combinationsOf(served.port);
  const wrong: Combination[] = [];
  for (const combination of combinations) {
    const isIn = await isLetIn(served, cookie, combination);
    if (isIn !== mayPass(combination, served.port)) wrong.push(combination);
  }
  return { tried: combinations.length, wrong };
}

describe("only requests from the dashboard's own page pass (R182)", () => {
  it("out of more than 200 combinations of Host, Origin, session and method", async () => {
    const { tried, wrong } = await findWrong({});
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(200);
  });

  it.each(["host", "origin", "session"] as const)(
    "control: without the %s check some requests pass",
    async (name) => {
      const { wrong } = await findWrong({ [name]: false });
      expect(wrong.length).toBeGreaterThan(0);
    },
  );
});

describe("the request's declared origin", () => {
  it.each([
    ["same-origin", 200],
    ["none", 200],
    ["same-site", 403],
    ["cross-site", 403],
  ])("of %s makes a read answer with %i", async (site, status) => {
    const served = await serveProject(temporaryProject());
    const cookie = await served.signIn();
    const answer = await served.ask("/api/project", { headers: { cookie, "sec-fetch-site": site } });
    expect(answer.status).toBe(status);
  });

  it("is required for a write, even with the right cookie", async () => {
    const served = await serveProject(temporaryProject());
    const cookie = await served.signIn();
    const headers = { cookie, "content-type": "application/json" };
    const answer = await served.ask("/api/actions", { method: "POST", headers, body: "{}" });
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining("ORIGIN_REFUSED")]);
  });
});

describe("signing in", () => {
  it("gives a cookie that scripts cannot read and other sites do not send", async () => {
    const served = await serveProject(temporaryProject());
    const headers = { origin: served.origin, "content-type": "application/json" };
    const body = JSON.stringify({ token: served.token });
    const answer = await served.ask("/api/session", { method: "POST", headers, body });
    expect(answer.status).toBe(204);
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^ambit-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(served.token);
  });

  it.each(["", "x", "0".repeat(43)])("is refused with the token %j", async (token) => {
    const served = await serveProject(temporaryProject());
    const headers = { origin: served.origin, "content-type": "application/json" };
    const answer = await served.ask("/api/session", {
      method: "POST",
      headers,
      body: JSON.stringify({ token }),
    });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([401, undefined]);
  });

  it("uses a new token at each start, and the old cookie opens nothing", async () => {
    const root = temporaryProject();
    const first = await serveProject(root);
    const second = await serveProject(root);
    const cookie = await first.signIn();
    expect(second.token).not.toBe(first.token);
    const renamed = cookie.replace(String(first.port), String(second.port));
    expect((await second.ask("/api/project", { headers: { cookie: renamed } })).status).toBe(401);
  });
});

describe("bodies", () => {
  it.each([
    ["text/plain", "{}", 415],
    ["application/x-www-form-urlencoded", "a=b", 415],
    ["application/json", "{", 400],
    ["application/json", `"${"x".repeat(70_000)}"`, 413],
  ])("of type %s are refused if they are wrong", async (type, body, status) => {
    const served = await serveProject(temporaryProject());
    const headers = { cookie: await served.signIn(), origin: served.origin, "content-type": type };
    expect((await served.ask("/api/actions", { method: "POST", headers, body })).status).toBe(status);
  });
});

describe("every answer", () => {
  const paths = ["/", "/runs/S-1", "/assets/app-ABCD1234.js", "/api/project", "/api/none", "/missing.js"];

  it.each(paths)("to %s forbids everything from elsewhere and names no other origin", async (path) => {
    const served = await serveProject(temporaryProject());
    const answer = await served.ask(path, { headers: { cookie: await served.signIn() } });
    const { headers } = answer;
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers["cache-control"]).toMatch(/no-store|immutable/);
  });

  it("lets content-named files be cached forever, and the page that names them never", async () => {
    const served = await serveProject(temporaryProject());
    const file = await served.ask("/assets/app-ABCD1234.js");
    expect(file.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(file.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    const pages = [await served.ask("/"), await served.ask("/runs/S-1/timeline")];
    const nonces = pages.map(({ body }) => /content="([^"]+)"/.exec(body)?.[1] ?? "");
    expect(new Set(nonces).size).toBe(2);
    for (const [index, { headers }] of pages.entries()) {
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["content-security-policy"]).toContain(`'nonce-${nonces[index] ?? ""}'`);
    }
  });

  it.each([
    "/../package.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%2f..%2fstate",
    "/a%00.js",
    "/%ff.js",
    "/..%5cx.js",
  ])("to %s stays inside the app's folder", async (path) => {
    const served = await serveProject(temporaryProject());
    const answer = await served.ask(path);
    expect(answer.body).toMatch(/the app|NOT_FOUND/);
  });
});
