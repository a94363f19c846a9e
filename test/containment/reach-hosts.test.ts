import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { findAllowed } from "../../src/containment/network/allowed-hosts.ts";
import { readParentProxy } from "../../src/containment/network/parent-proxy.ts";
import {
  type Forwarding,
  forwardServices,
  type ForwardRequest,
} from "../../src/containment/forward-services.ts";
import { startEcho } from "./echo-service.ts";
import { launchForTest } from "./launch-for-test.ts";

async function forward(request: ForwardRequest): Promise<Forwarding> {
  const forwarding = await forwardServices(request, "/usr/bin/perl");
  onTestFinished(() => forwarding.close());
  return forwarding;
}

/** Asks the proxy inside for a tunnel, sends five bytes through it, and prints what comes. */
function buildTunneler(target: string): readonly string[] {
  const script = `
    const { hostname, port } = new URL(process.env.HTTPS_PROXY);
    const socket = require("node:net").connect({ host: hostname, port, allowHalfOpen: true });
    let isOpen = false;
    socket.write("CONNECT ${target} HTTP/1.1\\r\\nhost: ${target}\\r\\n\\r\\n");
    socket.on("data", (part) => {
      if (isOpen) return console.log(String(part));
      console.log(String(part).split(" ").slice(0, 2).join(" "));
      isOpen = true;
      socket.end("bytes");
    });
    socket.on("error", ({ code }) => console.log(code));
  `;
  return [process.execPath, "-e", script];
}

const buildFetcher = (url: string): readonly string[] => {
  const script = `
    const { hostname, port } = new URL(process.env.HTTP_PROXY);
    require("node:http").get({ hostname, port, path: "${url}", headers: { host: "x" } }, (answer) => {
      console.log(answer.statusCode);
      answer.on("data", (part) => console.log(String(part).trim()));
    });
  `;
  return [process.execPath, "-e", script];
};

async function runInside({ relay, hosts, environment }: Forwarding, argv: readonly string[]) {
  const run = await launchForTest([...relay, ...argv], {
    tier: "pid-namespace",
    ownNetwork: { hosts },
    environment: { PATH: "/usr/bin:/bin", ...environment },
  });
  await run.exited;
  return run.lines();
}

describe("hosts that a network of its own reaches", () => {
  it("are those of the list; another host is refused and named", async () => {
    const [port, other] = [await startEcho(), await startEcho()];
    const forwarding = await forward({ services: [], hosts: [{ host: "127.0.0.1", port }] });
    expect(await runInside(forwarding, buildTunneler(`127.0.0.1:${port}`))).toStrictEqual([
      "HTTP/1.1 200",
      "bytes",
    ]);
    expect(await runInside(forwarding, buildTunneler(`127.0.0.1:${other}`))).toStrictEqual(["HTTP/1.1 403"]);
    expect(forwarding.listRefused()).toStrictEqual([`127.0.0.1:${other}`]);
    // Control: with the other host on the list, it is reached.
    const open = await forward({
      services: [],
      hosts: [port, other].map((one) => ({ host: "127.0.0.1", port: one })),
    });
    expect(await runInside(open, buildTunneler(`127.0.0.1:${other}`))).toStrictEqual([
      "HTTP/1.1 200",
      "bytes",
    ]);
  });

  it("are also reached without encryption", async () => {
    const server = createHttpServer((message, response) => response.end(`path ${message.url ?? ""}`));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const forwarding = await forward({ services: [], hosts: [{ host: "127.0.0.1", port }] });
    expect(await runInside(forwarding, buildFetcher(`http://127.0.0.1:${port}/v1?a=b`))).toStrictEqual([
      "200",
      "path /v1?a=b",
    ]);
    expect(await runInside(forwarding, buildFetcher("http://127.0.0.1:1/"))).toStrictEqual([
      "403",
      "Not allowed in this network.",
    ]);
  });

  it("are reached through the proxy that the machine has to use", async () => {
    const { findProxy, asked } = await startParent(await startEcho());
    const hosts = [{ host: "api.example.org", port: 443 }];
    const lines = await runInside(
      await forward({ services: [], hosts, findProxy }),
      buildTunneler("api.example.org:443"),
    );
    expect(lines).toStrictEqual(["HTTP/1.1 200", "bytes"]);
    expect(asked[0]).toBe("CONNECT api.example.org:443 HTTP/1.1");
    expect(asked[1]?.toLowerCase()).toBe("proxy-authorization: basic bwu6cgfzcw==");
  });

  it("include every other host in an open network, but only the services of this machine", async () => {
    const [service, other] = [await startEcho(), await startEcho()];
    const { findProxy } = await startParent(other);
    const services = [{ host: "localhost", port: service }];
    const forwarding = await forward({ services, isOpen: true, findProxy });
    const open = ["HTTP/1.1 200", "bytes"];
    expect(await runInside(forwarding, buildTunneler("any.example.org:443"))).toStrictEqual(open);
    expect(await runInside(forwarding, buildTunneler(`localhost:${service}`))).toStrictEqual(open);
    expect(await runInside(forwarding, buildTunneler(`localhost:${other}`))).toStrictEqual(["HTTP/1.1 403"]);
    expect(forwarding.listRefused()).toStrictEqual([`localhost:${other}`]);
  });
});

/** A proxy of the machine that leads every request to one port, and a list of the requests. */
async function startParent(port: number) {
  const asked: string[] = [];
  const parent = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once("data", (head) => {
      asked.push(
        ...String(head)
          .split("\r\n")
          .filter((line) => /^(?:CONNECT|proxy-authorization)/i.test(line)),
      );
      const way = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(way).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => parent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void parent.close());
  const address = parent.address();
  const proxyPort = typeof address === "object" && address !== null ? address.port : 0;
  const variables = { HTTPS_PROXY: `http://me:pass@127.0.0.1:${proxyPort}`, NO_PROXY: "localhost,127.0.0.1" };
  return { asked, findProxy: readParentProxy(variables) };
}

describe("the list of hosts", () => {
  const hosts = [
    { host: "api.example.org", port: 443 },
    { host: "*.example.com", port: 8443 },
  ];

  it.each(["api.example.org:443", "API.example.org:443", "a.example.com:8443", "a.b.example.com:8443"])(
    "allows %s",
    (asked) => {
      expect(findAllowed(asked, { hosts })).toBeDefined();
    },
  );

  it.each([
    "api.example.org:80",
    "api.example.org",
    "x.api.example.org:443",
    "api.example.org.evil.net:443",
    "example.com:8443",
    ".example.com:8443",
    "evilexample.com:8443",
    "a.example.com:443",
    "169.254.169.254:443",
    "",
    ":443",
  ])("refuses %j", (asked) => {
    expect(findAllowed(asked, { hosts })).toBeUndefined();
  });

  it("allows everything but this machine and invalid addresses if it is open", () => {
    const isAllowed = (asked: string): boolean => findAllowed(asked, { hosts, isOpen: true }) !== undefined;
    const outside = ["github.com:22", "10.0.0.1:5432", "[2001:db8::1]:443", "128.0.0.1:1"];
    expect(outside.filter((asked) => !isAllowed(asked))).toStrictEqual([]);
    const local = [
      "localhost:80",
      "a.localhost:80",
      "127.0.0.1:80",
      "127.9.9.9:80",
      "[::1]:80",
      "0.0.0.0:80",
    ];
    const broken = ["", ":443", "github.com", "github.com:0", "github.com:70000", "github.com:x"];
    expect([...local, ...broken].filter(isAllowed)).toStrictEqual([]);
  });
});

describe("the proxy of the machine", () => {
  it("is read from the usual variables, except for hosts that are reached directly", () => {
    const find = readParentProxy({ https_proxy: "http://proxy:3128", NO_PROXY: "localhost, .corp.example" });
    expect(find("api.example.org")?.host).toBe("proxy:3128");
    expect(find("llm.corp.example")).toBeUndefined();
    expect(find("corp.example")).toBeUndefined();
    expect(readParentProxy({})("api.example.org")).toBeUndefined();
    expect(readParentProxy({ HTTPS_PROXY: "socks5://proxy:1" })("api.example.org")).toBeUndefined();
  });
});
