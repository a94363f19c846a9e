import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startEcho } from "../containment/echo-service.ts";
import { makeProject } from "./project.ts";
import { cli, runCli } from "./run-cli.ts";

/** A program that speaks as Claude Code does. It calls its provider and other hosts, and writes down the answers. */
const PROGRAM = `#!${process.execPath}
const { connect } = require("node:net");
const { request } = require("node:http");
const { readFileSync, writeFileSync } = require("node:fs");
if (process.argv.includes("--version")) { console.log("2.1.325 (Claude Code)"); process.exit(0); }
readFileSync(0);
const { ANTHROPIC_BASE_URL, HTTPS_PROXY, AMBIT_RETURN_FILE, AMBIT_RETURN_METADATA } = process.env;
const ask = (options) => new Promise((resolve) => {
  const asked = request(options).on("error", ({ code }) => resolve(code));
  asked.on("response", ({ statusCode }) => resolve(statusCode)).on("connect", ({ statusCode }) => resolve(statusCode)).end("{}");
});
const tunnel = (path) => HTTPS_PROXY === undefined ? "no proxy" : ask({ host: "127.0.0.1", port: new URL(HTTPS_PROXY).port, method: "CONNECT", path });
const reach = (port) => new Promise((resolve) => connect(port, "127.0.0.1", () => resolve("reached")).on("error", ({ code }) => resolve(code)));
(async () => {
  const base = new URL(ANTHROPIC_BASE_URL);
  const seen = {
    provider: await ask({ host: base.hostname, port: base.port, method: "POST", path: base.pathname + "/v1/messages" }),
    other: await reach(OTHER_PORT),
    named: await reach(NAMED_PORT),
    elsewhere: await tunnel("elsewhere.example:443"),
    past: await tunnel("api.anthropic.com:443"),
  };
  writeFileSync("seen.json", JSON.stringify(seen));
  const metadata = JSON.parse(AMBIT_RETURN_METADATA);
  writeFileSync(AMBIT_RETURN_FILE, JSON.stringify({ status: "completed", summary: "Asked.", artifacts: [], metadata }));
  console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "session-1" }));
  console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "Asked." }));
  process.exit(process.env.ANTHROPIC_EXIT === undefined ? 0 : 1);
})();
`;

interface Seen {
  readonly told: string;
  readonly status: number | null;
  readonly seen: unknown;
  readonly requests: number;
  readonly ports: { readonly other: number; readonly named: number };
}

async function runClaude(
  settings: (ports: Seen["ports"]) => string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  let requests = 0;
  const provider = createServer((message, response) => {
    message.resume();
    requests += 1;
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void provider.close());
  const address = provider.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const ports = { other: await startEcho(), named: await startEcho() };
  const programs = mkdtempSync(join(tmpdir(), "ambit-claude-"));
  onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
  mkdirSync(programs, { recursive: true });
  const text = PROGRAM.replace("OTHER_PORT", String(ports.other)).replace("NAMED_PORT", String(ports.named));
  writeFileSync(join(programs, "claude"), text);
  chmodSync(join(programs, "claude"), 0o755);
  const project = makeProject({
    PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ...environment,
  });
  onTestFinished(() => project.remove());
  project.write("ambit.yaml", settings(ports));
  const run = await project.ambit("run", "Ask", "--id", "S1", "--agent", "claude", ...words);
  const branch = run.status === 0 ? "ambit/S1" : "delegation/S1";
  const seen: unknown = JSON.parse(project.git("show", `${branch}:seen.json`));
  return { status: run.status, told: run.stdout + run.stderr, seen, requests, ports };
}

const SANDBOX = ["--isolation", "sandbox"];
const nothing = (): string => "";

describe("an agent in a sandbox", () => {
  it("reaches its provider and nothing else", async () => {
    const { status, seen, requests } = await runClaude(nothing, SANDBOX);
    expect(seen).toStrictEqual({
      provider: 200,
      other: "ECONNREFUSED",
      named: "ECONNREFUSED",
      elsewhere: 403,
      past: 403,
    });
    expect({ status, requests }).toStrictEqual({ status: 0, requests: 1 });
  });

  it("reaches everything with the network (control)", async () => {
    const { seen, requests } = await runClaude(nothing, [...SANDBOX, "--network"]);
    expect(seen).toMatchObject({ provider: 200, other: "reached", named: "reached" });
    expect(requests).toBe(1);
  });

  it("reaches its provider without metering, too", async () => {
    const { seen, requests } = await runClaude(() => "agents:\n  metering: none\n", SANDBOX);
    expect(seen).toMatchObject({ provider: 200, other: "ECONNREFUSED" });
    expect(requests).toBe(1);
  });

  it("reaches hosts of the settings, but not its provider around the metering proxy", async () => {
    const settings = ({ named }: Seen["ports"]): string =>
      `workspace:\n  services: [${named}]\nagents:\n  addresses: [llm.example]\n`;
    const { seen } = await runClaude(settings, SANDBOX);
    expect(seen).toStrictEqual({
      provider: 200,
      other: "ECONNREFUSED",
      named: "reached",
      elsewhere: 403,
      past: 403,
    });
  });

  it("that fails gets the names of the hosts it could not reach", async () => {
    const { told } = await runClaude(nothing, SANDBOX, { ANTHROPIC_EXIT: "1" });
    expect(told).toContain("In its sandbox it could not reach elsewhere.example:443, api.anthropic.com:443");
  });
});

describe("an agent without a sandbox, in a project with services", () => {
  const own = ({ named }: Seen["ports"]): string => `workspace:\n  services: [${named}]\n`;

  it("reaches its provider and the named services; every other host through the proxy", async () => {
    const { status, seen, requests } = await runClaude(own, []);
    expect(seen).toMatchObject({ provider: 200, other: "ECONNREFUSED", named: "reached" });
    // The proxy tries to reach this host, but the machine does not find it. In the sandbox the proxy refuses it.
    expect(seen).toMatchObject({ elsewhere: 502 });
    expect({ status, requests }).toStrictEqual({ status: 0, requests: 1 });
  });

  it("has the network of the machine without the setting, and with --network", async () => {
    const machine = { provider: 200, other: "reached", named: "reached", elsewhere: "no proxy" };
    expect((await runClaude(nothing, [])).seen).toMatchObject(machine);
    expect((await runClaude(own, ["--network"])).seen).toMatchObject(machine);
  });
});

it("lets a sandboxed agent call ambit where the command is a link in a person's own folder", async () => {
  const project = makeProject();
  onTestFinished(() => project.remove());
  const own = mkdtempSync(join(tmpdir(), "ambit-prefix-"));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  symlinkSync(cli, join(own, "ambit"));
  const line = ["--id", "S1", "--isolation", "sandbox", "--", "sh", "-c", "ambit --version > said"];
  const ran = await runCli(["run", "Say it", "--check", "test -s said", ...line], {
    directory: project.root,
    home: join(project.root, "../home"),
    environment: { AMBIT_IDLE_MS: "400" },
    program: join(own, "ambit"),
  });
  expect([ran.status, project.git("show", "ambit/S1:said")]).toEqual([0, expect.stringMatching(/^\d/)]);
});
