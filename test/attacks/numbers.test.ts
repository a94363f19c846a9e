import { readFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { usdSchema } from "../../src/contract/config-usd.ts";
import { delegationRequestSchema } from "../../src/contract/delegation-request.ts";
import { parseDirectives } from "../../src/contract/directive.ts";
import { overSocket } from "../../src/supervisor/socket/line-connection.ts";

const request = { description: "Do one thing", estimated_hours: 3 };
const huge: unknown = JSON.parse("1e400");

describe("a budget or a time", () => {
  it.each([
    ["budget_usd", huge],
    ["budget_usd", Number.NaN],
    ["budget_usd", -1],
    ["budget_usd", 99_999_999_999_999],
    ["budget_usd", "99999999999999"],
    ["budget_usd", "Infinity"],
    ["budget_usd", "1e400"],
    ["budget_tokens", huge],
    ["budget_tokens", 1e15],
    ["budget_tokens", 0.5],
    ["estimated_hours", huge],
    ["estimated_hours", "99999999999999999999"],
    ["timeout_seconds", huge],
  ])("is refused where %s is %j", (name, value) => {
    expect(delegationRequestSchema.safeParse({ ...request, [name]: value }).success).toBe(false);
  });

  it.each([
    ["budget_usd", 2.5],
    ["budget_usd", "2.50"],
    ["budget_tokens", 100_000],
    ["estimated_hours", 12],
  ])("is accepted where %s is %j (control)", (name, value) => {
    expect(delegationRequestSchema.safeParse({ ...request, [name]: value }).success).toBe(true);
  });

  it.each([huge, Number.NaN, 1e10, -1, 0.000_000_1])(
    "that the configuration gives in dollars is refused: %j",
    (value) => {
      expect(usdSchema.safeParse(value).success).toBe(false);
    },
  );
});

describe("the hours of a directive", () => {
  it.each(["99999999999999999999", "1e400", "10001", "Infinity", "NaN", "-1", "0"])(
    "are refused: %s",
    (hours) => {
      const { delegations, errors } = parseDirectives(`[delegate:Do it:${hours}]`, { parentId: "US-1" });
      expect(delegations).toStrictEqual([]);
      expect(errors.map(({ code }) => code)).toStrictEqual(["INVALID_HOURS"]);
    },
  );

  it.each(["1", "8", "2.5", "200"])("are read: %s (control)", (hours) => {
    expect(parseDirectives(`[delegate:Do it:${hours}]`, { parentId: "US-1" }).errors).toStrictEqual([]);
  });
});

describe("an infinite number that is sent to the supervisor", () => {
  it("does not become a missing number on the way, so that its request is refused", async () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-numbers-"));
    const path = join(folder, "a.sock");
    const arrived = new Promise<unknown>((resolve) => {
      const server = createServer((socket) => {
        overSocket(socket, { onMessage: resolve, onClose: () => void server.close() });
      });
      server.listen(path, () => {
        const socket = createConnection(path);
        const connection = overSocket(socket, { onMessage: () => undefined, onClose: () => undefined });
        connection.send({ ...request, budget_usd: huge });
        connection.close();
      });
    });
    const message = await arrived;
    rmSync(folder, { recursive: true, force: true });
    // Control: plain JSON turns the number into null, and that request would be accepted.
    const plain: unknown = JSON.parse(JSON.stringify({ ...request, budget_usd: huge }));
    expect(delegationRequestSchema.safeParse(plain).success).toBe(true);
    expect(delegationRequestSchema.safeParse(message).success).toBe(false);
  });
});

describe("the lock file", () => {
  const entry = z.looseObject({
    integrity: z.string().optional(),
    link: z.boolean().optional(),
    dev: z.boolean().optional(),
    optional: z.boolean().optional(),
    os: z.array(z.string()).optional(),
  });
  const { packages } = z
    .looseObject({ packages: z.record(z.string(), entry) })
    .parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
  const without = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path !== "" && link !== true && integrity === undefined,
  );

  it("pins every package to its content, except bindings of build tools for other systems", () => {
    const others = without.filter(([, { dev, optional }]) => dev !== true || optional !== true);
    expect(others.map(([path]) => path)).toStrictEqual([]);
    const foreign = without.filter(([path]) => !/\/(?:binding-|darwin-|win32-|linux-)[\w-]+$/.test(path));
    expect(foreign.map(([path]) => path)).toStrictEqual([]);
  });
});
