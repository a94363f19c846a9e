import { describe, expect, it } from "vitest";
import { explainNetwork } from "../../../src/orchestrator/project/explain-network.ts";
import { startEcho } from "../../containment/echo-service.ts";

const TAKEN = "Error: listen EADDRINUSE: address already in use 127.0.0.1:";
const REFUSED = "Error: connect ECONNREFUSED 127.0.0.1:";

describe("what a failed check is told about its network", () => {
  it("is the program that holds its port, where it has the network of the machine", async () => {
    const port = await startEcho();
    expect(await explainNetwork(`${TAKEN}${port}`, null)).toStrictEqual([
      expect.stringMatching(
        new RegExp(`^Port ${port} is in use by .+ \\(process ${process.pid}\\): a collision`),
      ),
    ]);
    expect(await explainNetwork(`${REFUSED}${port}`, null)).toStrictEqual([]);
  });

  it("is not a program of the machine, where it has a network of its own", async () => {
    const port = await startEcho();
    expect(await explainNetwork(`${TAKEN}${port}`, [])).toStrictEqual([
      `Port ${port} is in use in the check's own network: the check itself uses it twice.`,
    ]);
  });

  it("is the port that the settings lack, if something listens there, else all that can be reached", async () => {
    const port = await startEcho();
    const services = [{ host: "redis", port: 6379 }];
    expect(await explainNetwork(`${REFUSED}${port}`, services)).toStrictEqual([
      `The check has a network of its own and did not reach port ${port} of this machine (workspace.services: [redis:6379, ${port}]).`,
    ]);
    expect(await explainNetwork("getaddrinfo ENOTFOUND registry.example", services)).toStrictEqual([
      "The check has a network of its own and reaches nothing but workspace.services: [redis:6379].",
    ]);
    expect(await explainNetwork("expected 1 to be 2", services)).toStrictEqual([]);
  });
});
