import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { explainNetwork } from "../../../src/orchestrator/project/explain-network.ts";
import { startEcho } from "../../containment/echo-service.ts";

const TAKEN = "Error: listen EADDRINUSE: address already in use 127.0.0.1:";
const REFUSED = "Error: connect ECONNREFUSED 127.0.0.1:";

describe("the explanation of a failed check's network", () => {
  it("names the program that holds the port, if the check has the network of the machine", async () => {
    const port = await startEcho();
    expect(await explainNetwork(`${TAKEN}${port}`, null)).toStrictEqual([
      expect.stringMatching(
        new RegExp(`^Port ${port} is in use by .+ \\(process ${process.pid}\\): a collision`),
      ),
    ]);
    expect(await explainNetwork(`${REFUSED}${port}`, null)).toStrictEqual([]);
    // The program is not ours, so running one check at a time does not help.
    expect((await explainNetwork(`${TAKEN}${port}`, null)).join()).not.toContain("exclusive");
  });

  it("names another check or worker if that holds the port, or if the port is free again", async () => {
    const mark = { ...process.env, AMBIT_RUN_ID: "some-run" };
    const script =
      'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })';
    const worker = spawn(process.execPath, ["-e", script], {
      env: mark,
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void worker.kill());
    const port = String((await once(worker.stdout, "data"))[0]).trim();
    const [said] = await explainNetwork(`${TAKEN}${port}`, null);
    expect(said).toContain(`(process ${worker.pid}): a collision with another check or worker`);
    expect(said).toContain("verification.exclusive: true");
    worker.kill();
    await once(worker, "exit");
    const [later] = await explainNetwork(`${TAKEN}${port}`, null);
    expect(later).toContain(`Port ${port} is in use: a collision with another check or worker`);
  });

  it("names the check itself in a sandbox without the network", async () => {
    const port = await startEcho();
    expect(await explainNetwork(`${TAKEN}${port}`, "sandbox")).toStrictEqual([
      `Port ${port} is in use in the check's own network: the check itself uses it twice.`,
    ]);
  });

  it("names no program of the machine if the check has its own network", async () => {
    const port = await startEcho();
    expect(await explainNetwork(`${TAKEN}${port}`, [])).toStrictEqual([
      `Port ${port} is in use in the check's own network: the check itself uses it twice.`,
    ]);
  });

  it("names the port that the settings lack if something listens there, otherwise all that can be reached", async () => {
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
