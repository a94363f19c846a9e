import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Forwarding, forwardServices, type Service } from "../../src/containment/forward-services.ts";
import { buildHostsText, buildRelayCommand, planRelay } from "../../src/containment/network/plan-relay.ts";
import { serveService } from "../../src/containment/network/serve-service.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { probeNetwork, probeNetworkWith } from "../../src/containment/probe-network.ts";
import { buildCaller, startEcho } from "./echo-service.ts";
import { launchForTest } from "./launch-for-test.ts";

const PERL = "/usr/bin/perl";
const local = (port: number): Service => ({ host: "localhost", port });

async function forward(...services: Service[]): Promise<Forwarding> {
  const forwarding = await forwardServices({ services }, PERL);
  onTestFinished(() => forwarding.close());
  return forwarding;
}

/** What a command in a network of its own prints. */
async function runInside({ relay, hosts }: Pick<Forwarding, "hosts" | "relay">, argv: readonly string[]) {
  const run = await launchForTest([...relay, ...argv], { tier: "pid-namespace", ownNetwork: { hosts } });
  const exit = await run.exited;
  return { code: exit.code, lines: run.lines(), survivors: exit.survivors };
}

describe("a network of its own", () => {
  it("is available on this machine", async () => {
    expect(await probeNetwork()).toStrictEqual({ kind: "works", perl: PERL });
  });

  it("is unavailable without bubblewrap, Perl or the right to create networks, with the reason", async () => {
    const report = await probeContainment();
    const probe = (tools: object) => probeNetworkWith({ ...report, tools: { ...report.tools, ...tools } });
    expect(await probe({ bubblewrap: null })).toMatchObject({ kind: "fails" });
    expect(await probe({ perl: null })).toStrictEqual({ kind: "fails", why: "there is no /usr/bin/perl" });
    expect(await probe({ bubblewrap: "/usr/bin/false" })).toStrictEqual({
      kind: "fails",
      why: "the trial ended with 1",
    });
  });

  it("reaches only the forwarded services; a command without such a network reaches others, too", async () => {
    const [named, other] = [await startEcho(), await startEcho()];
    const forwarding = await forward(local(named));
    expect((await runInside(forwarding, buildCaller("127.0.0.1", named))).lines).toStrictEqual(["5"]);
    expect((await runInside(forwarding, buildCaller("localhost", named))).lines).toStrictEqual(["5"]);
    expect((await runInside(forwarding, buildCaller("::1", named))).lines).toStrictEqual(["5"]);
    expect((await runInside(forwarding, buildCaller("127.0.0.1", other))).lines).toStrictEqual([
      "ECONNREFUSED",
    ]);
    const control = await launchForTest(buildCaller("127.0.0.1", other), { tier: "pid-namespace" });
    await control.exited;
    expect(control.lines()).toStrictEqual(["5"]);
  });

  it("passes many megabytes in both directions, and a half-closed connection", async () => {
    const port = await startEcho();
    const bytes = 20 * 1024 ** 2;
    const { lines } = await runInside(await forward(local(port)), buildCaller("127.0.0.1", port, bytes));
    expect(lines).toStrictEqual([String(bytes)]);
  });

  it("has ports of its own: a port that is in use on this machine is free", async () => {
    const port = await startEcho();
    const listen = `require("node:net").createServer().on("error", ({ code }) => console.log(code)).listen(${port}, "127.0.0.1", () => { console.log("free"); process.exit() })`;
    const argv = [process.execPath, "-e", listen];
    expect((await runInside(await forward(), argv)).lines).toStrictEqual(["free"]);
    const control = await launchForTest(argv, { tier: "pid-namespace" });
    await control.exited;
    expect(control.lines()).toStrictEqual(["EADDRINUSE"]);
  });

  it("changes neither exit codes nor the processes that a command sees as its children", async () => {
    const forwarding = await forward(local(await startEcho()));
    const script = "ps -o ppid= -C ambit-relay -C perl | tr -d ' '; wait; exit 7";
    const { code, lines, survivors } = await runInside(forwarding, ["/bin/sh", "-c", script]);
    expect({ code, lines, survivors }).toStrictEqual({ code: 7, lines: ["1"], survivors: 0 });
    expect((await runInside(forwarding, ["/nowhere/program"])).code).toBe(127);
  });

  it("does not start a command whose service cannot be forwarded", async () => {
    const place = { service: local(5432), addresses: ["192.0.2.1"], file: "/nowhere" };
    const relay = buildRelayCommand(PERL, [place]);
    const { code, lines } = await runInside({ relay, hosts: undefined }, ["/bin/echo", "started"]);
    expect({ code, lines }).toStrictEqual({ code: 125, lines: [] });
  });

  it("finds a service of another host by its name", async () => {
    const port = await startEcho();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-hosts-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const places = planRelay([{ host: "redis", port }], () => join(folder, "socket"));
    const server = await serveService(local(port), join(folder, "socket"));
    onTestFinished(() => void server.close());
    const hosts = join(folder, "hosts");
    writeFileSync(hosts, buildHostsText("127.0.0.1 localhost\n", places) ?? "");
    const relay = buildRelayCommand(PERL, places);
    expect((await runInside({ relay, hosts }, buildCaller("redis", port))).lines).toStrictEqual(["5"]);
    expect((await runInside({ relay, hosts }, buildCaller("localhost", port))).lines).toStrictEqual([
      "ECONNREFUSED",
    ]);
  });

  it("leaves nothing behind when it is closed, and lets no other user in before", async () => {
    const { folder, close } = await forward(local(await startEcho()));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    close();
    expect(existsSync(folder)).toBe(false);
  });

  it("removes the leftovers of a killed process, and nothing of a live one", async () => {
    // No process has this number.
    const left = join(tmpdir(), "ambit-net-4194305-x");
    const living = join(tmpdir(), `ambit-net-${process.pid}-x`);
    for (const folder of [left, living]) mkdirSync(folder, { recursive: true });
    onTestFinished(() => rmSync(living, { recursive: true, force: true }));
    const { close } = await forward(local(await startEcho()));
    close();
    expect([existsSync(left), existsSync(living)]).toEqual([false, true]);
  });
});

describe("the names of forwarded hosts", () => {
  const plan = (...services: Service[]) => planRelay(services, (index) => `/s/${index}`);

  it("lead to one loopback address each, before those of the machine", () => {
    const places = plan(
      { host: "redis", port: 6379 },
      { host: "db", port: 5432 },
      { host: "redis", port: 6380 },
    );
    expect(places.map(({ addresses }) => addresses)).toStrictEqual([
      ["127.0.0.2"],
      ["127.0.0.3"],
      ["127.0.0.2"],
    ]);
    expect(buildHostsText("127.0.0.1 localhost\n10.0.0.9 x Redis\n10.0.0.8 mail", places)).toBe(
      "127.0.0.2 redis\n127.0.0.3 db\n127.0.0.1 localhost\n10.0.0.8 mail\n",
    );
  });

  it("have one listener for each service, however often it is named", () => {
    expect(plan(local(5432), { host: "127.0.0.1", port: 5432 }, local(5433))).toHaveLength(2);
  });

  it("are not changed for services of this machine", () => {
    expect(buildHostsText("127.0.0.1 localhost\n", plan(local(5432)))).toBeUndefined();
  });
});
