import { describe, expect, it } from "vitest";
import { findTakenPort } from "../../src/verification/find-taken-port.ts";

describe("a port that a command could not get", () => {
  it.each([
    ["Error: listen EADDRINUSE: address already in use :::3000", 3000],
    ["Error: listen EADDRINUSE: address already in use 127.0.0.1:5432\n    at Server", 5432],
    ["listen tcp :8080: bind: address already in use", 8080],
    ["Web server failed to start. Port 8081 was already in use.\nPort 8081 is already in use", 8081],
    ["OSError: [Errno 98] Address already in use", null],
    ["expected 3000 to be 3001 at a.js:20:10", undefined],
    ["ValidationError: this e-mail address is already in use", undefined],
    ['Conflict. The container name "/db" is already in use by container 3000', undefined],
    ["Bind for 0.0.0.0:5432 failed: port is already allocated", 5432],
    ["Something is listening: port 9000 is occupied", 9000],
    ["", undefined],
  ])("is read from %j", (output, port) => {
    expect(findTakenPort(output)).toBe(port);
  });
});
