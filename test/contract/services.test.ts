import { describe, expect, it } from "vitest";
import { addressSchema, readAddresses, readServices, serviceSchema } from "../../src/contract/services.ts";

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
  ])("is refused otherwise: %j", (entry) => {
    expect(serviceSchema.safeParse(entry).success).toBe(false);
    expect(readServices([entry])).toStrictEqual([]);
  });
});

describe("an entry of agents.addresses", () => {
  it.each([
    ["llm.example.org", { host: "llm.example.org", port: 443 }],
    ["*.example.org", { host: "*.example.org", port: 443 }],
    ["llm.example.org:8443", { host: "llm.example.org", port: 8443 }],
    ["10.0.0.5:80", { host: "10.0.0.5", port: 80 }],
  ])("is a host with a port, or a host alone for HTTPS: %j", (entry, address) => {
    expect(addressSchema.safeParse(entry).success).toBe(true);
    expect(readAddresses([entry])).toStrictEqual([address]);
  });

  it.each(["", "*", "*.", "a.*.org", "https://llm.example.org", "a:0", "a:70000", "a b", "a/b", ":443"])(
    "is refused otherwise: %j",
    (entry) => {
      expect(addressSchema.safeParse(entry).success).toBe(false);
      expect(readAddresses([entry])).toStrictEqual([]);
    },
  );
});
