import { describe, expect, it } from "vitest";
import { readServices, serviceSchema } from "../../src/contract/services.ts";

describe("an entry of workspace.services", () => {
  it.each([
    [5432, { host: "localhost", port: 5432 }],
    ["5432", { host: "localhost", port: 5432 }],
    ["redis:6379", { host: "redis", port: 6379 }],
    ["db-1.example.org:65535", { host: "db-1.example.org", port: 65_535 }],
    ["127.0.0.1:5432", { host: "127.0.0.1", port: 5432 }],
  ])("is a port of this machine or a name with a port: %j", (entry, service) => {
    expect(serviceSchema.safeParse(entry).success).toBe(true);
    expect(readServices([entry])).toStrictEqual([service]);
  });

  it.each([
    80,
    70_000,
    0,
    -1,
    5432.5,
    "redis",
    ":5432",
    "redis:80",
    "10.0.0.5:5432",
    "a b:5432",
    "-a:5432",
    "a\n:5432",
  ])("is nothing else: %j", (entry) => {
    expect(serviceSchema.safeParse(entry).success).toBe(false);
    expect(readServices([entry])).toStrictEqual([]);
  });
});
