import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { findListener } from "../../src/containment/find-listener.ts";

describe("a port in use", () => {
  it("is reported with the process that listens on it", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    expect(findListener(port)).toMatchObject({ pid: process.pid });
    await new Promise((resolve) => server.close(resolve));
    expect(findListener(port)).toBeUndefined();
  });
});
