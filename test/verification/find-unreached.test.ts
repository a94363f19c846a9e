import { describe, expect, it } from "vitest";
import { findUnreached } from "../../src/verification/find-unreached.ts";

describe("what a command could not reach", () => {
  it.each([
    ["Error: connect ECONNREFUSED 127.0.0.1:5432", [5432]],
    ['connection to server at "localhost" (::1), port 5432 failed: Connection refused', [5432]],
    ["connect ECONNREFUSED ::1:6379\nconnect ECONNREFUSED 127.0.0.1:6379", [6379]],
    ["getaddrinfo ENOTFOUND redis", []],
    ["curl: (6) Could not resolve host: registry.example", []],
    ["expected 3000 to be 3001 at a.js:20:10", undefined],
    ["", undefined],
  ])("is read from %j", (output, ports) => {
    expect(findUnreached(output)).toStrictEqual(ports);
  });
});
