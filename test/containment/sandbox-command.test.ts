import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandOutcome, runCommand } from "../../src/base/run-command.ts";
import {
  findSandboxTools,
  probeSandbox,
  probeSandboxWith,
  type SandboxReport,
} from "../../src/containment/probe-sandbox.ts";
import {
  buildSandboxCommand,
  chooseLaunchTier,
  type SandboxRequest,
  type SandboxTools,
} from "../../src/containment/sandbox-command.ts";

const tools: SandboxTools = {
  bubblewrap: "/usr/bin/bwrap",
  options: { size: true, disableUserns: true },
  perl: null,
  calls: null,
};

const request: SandboxRequest = {
  tier: "bubblewrap",
  tools,
  argv: ["agent", "--go"],
  cwd: "/state/s/clone",
  writable: ["/state/s/clone", "/state/s/outbox"],
  readOnly: ["/project/.git/objects", "/opt/agent"],
  home: "/state/s/home",
  temporary: "/state/s/temporary",
  environment: { PATH: "/usr/bin", API_KEY: "very-secret" },
};

/** Where a run of words begins, or -1. */
function indexOf(argv: readonly string[], ...words: string[]): number {
  return argv.findIndex((_, at) => words.every((word, offset) => argv[at + offset] === word));
}

describe("the bubblewrap command line", () => {
  it("removes every namespace and capability, for root too", () => {
    const { argv } = buildSandboxCommand(request);
    expect(argv[0]).toBe("/usr/bin/bwrap");
    for (const words of [
      ["--unshare-all"],
      ["--unshare-user"],
      ["--disable-userns"],
      ["--cap-drop", "ALL"],
      ["--die-with-parent"],
      ["--new-session"],
      ["--hostname", "ambit"],
      ["--chdir", "/state/s/clone"],
      ["--remount-ro", "/"],
    ])
      expect(indexOf(argv, ...words)).toBeGreaterThan(0);
    expect(argv.slice(-3)).toStrictEqual(["--", "agent", "--go"]);
    expect(argv).not.toContain("--share-net");
  });

  it("shows no folder of users or services, and writes only to the given folders", () => {
    const { argv } = buildSandboxCommand({ ...request, network: true });
    const sources = argv.flatMap((word, at) => (word.startsWith("--ro-bind") ? [argv[at + 1] ?? ""] : []));
    for (const path of [
      "/",
      "/home",
      "/root",
      "/run",
      "/var",
      "/tmp",
      "/sys",
      "/etc",
      "/etc/shadow",
      "/etc/ssl",
    ])
      expect(sources).not.toContain(path);
    const written = argv.flatMap((word, at) => (word === "--bind" ? [argv[at + 1]] : []));
    expect(written).toStrictEqual(["/state/s/clone", "/state/s/outbox"]);
    expect(argv.filter((word) => word.startsWith("--dev-bind"))).toStrictEqual([]);
  });

  it("closes the kernel's settings, which bubblewrap leaves open to root", () => {
    const { argv } = buildSandboxCommand(request);
    expect(indexOf(argv, "--ro-bind-try", "/proc/sys", "/proc/sys")).toBeGreaterThan(
      indexOf(argv, "--proc", "/proc"),
    );
  });

  it("opens the network only when asked", () => {
    const closed = buildSandboxCommand(request).argv;
    const open = buildSandboxCommand({ ...request, network: true }).argv;
    expect(closed).not.toContain("/etc/resolv.conf");
    expect(open).toEqual(expect.arrayContaining(["--share-net", "/etc/resolv.conf"]));
    expect(open).not.toContain("/etc/ssl/private");
  });

  it("forwards services only where the network is closed", () => {
    const forwarding = { folder: "/tmp/net", hosts: "/tmp/net/hosts", relay: ["perl", "relay"] };
    const { argv } = buildSandboxCommand({ ...request, forwarding });
    expect(argv.slice(-5)).toStrictEqual(["--", "perl", "relay", "agent", "--go"]);
    expect(indexOf(argv, "--ro-bind", "/tmp/net", "/tmp/net")).toBeGreaterThan(
      indexOf(argv, "--tmpfs", "/tmp"),
    );
    expect(indexOf(argv, "--ro-bind", "/tmp/net/hosts", "/etc/hosts")).toBeGreaterThan(
      indexOf(argv, "--ro-bind-try", "/etc/hosts", "/etc/hosts"),
    );
    expect(buildSandboxCommand({ ...request, forwarding, network: true }).argv).toStrictEqual(
      buildSandboxCommand({ ...request, network: true }).argv,
    );
  });

  it("mounts outer folders before inner ones", () => {
    const { argv } = buildSandboxCommand({ ...request, writable: ["/state/s/home/x/y", "/state/s/clone"] });
    const home = indexOf(argv, "--tmpfs", "/state/s/home");
    expect(home).toBeGreaterThan(indexOf(argv, "--tmpfs", "/tmp"));
    expect(indexOf(argv, "--bind", "/state/s/home/x/y")).toBeGreaterThan(home);
    expect(indexOf(argv, "--remount-ro", "/")).toBeGreaterThan(indexOf(argv, "--bind", "/state/s/home/x/y"));
  });

  it("keeps values off the command line, and gives loader settings to the agent alone", () => {
    const environment = { ...request.environment, LD_PRELOAD: "/state/s/clone/x.so", PERL5OPT: "-Mx" };
    const command = buildSandboxCommand({ ...request, environment });
    expect(command.argv.join(" ")).not.toContain("very-secret");
    expect(command.environment).toStrictEqual({
      ...request.environment,
      HOME: "/state/s/home",
      TMPDIR: "/tmp",
    });
    expect(indexOf(command.argv, "--setenv", "LD_PRELOAD", "/state/s/clone/x.so")).toBeGreaterThan(0);
    expect(() => buildSandboxCommand({ ...request, environment, tier: "landlock" })).toThrow(
      /perl|LD_PRELOAD/,
    );
  });

  it("leaves out options that an older bubblewrap lacks, and allows namespaces inside on demand", () => {
    const old = { ...tools, options: { size: false, disableUserns: false } };
    const { argv } = buildSandboxCommand({ ...request, tools: old });
    expect(argv).not.toContain("--size");
    expect(argv).not.toContain("--disable-userns");
    expect(buildSandboxCommand({ ...request, nestedSandbox: true }).argv).not.toContain("--disable-userns");
  });

  it.each(["relative", "/", "/a/../b", "/a/", "/a\0b", ""])("refuses the path %j", (path) => {
    expect(() => buildSandboxCommand({ ...request, writable: [path] })).toThrow(/cannot be mounted/);
    expect(() => buildSandboxCommand({ ...request, readOnly: [path] })).toThrow(/cannot be mounted/);
  });

  it("is never built without a sandbox", () => {
    const none = { ...tools, bubblewrap: null };
    const code = "SANDBOX_UNAVAILABLE";
    expect(() => buildSandboxCommand({ ...request, tier: "none" })).toThrow(
      expect.objectContaining({ code }),
    );
    expect(() => buildSandboxCommand({ ...request, tools: none })).toThrow(expect.objectContaining({ code }));
    expect(() => buildSandboxCommand({ ...request, tier: "landlock" })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe("the tier that launches a sandbox", () => {
  const tier = (name: "pid-namespace" | "process-group" | "subreaper", available: boolean) => ({
    tier: name,
    available,
    reason: "",
    promise: "",
    shielded: false,
    loud: false,
  });

  it("is the strongest tier that makes no namespace itself", () => {
    const tiers = [tier("pid-namespace", true), tier("subreaper", true), tier("process-group", true)];
    expect(chooseLaunchTier({ tiers })).toBe("subreaper");
    expect(chooseLaunchTier({ tiers: [tier("pid-namespace", true), tier("subreaper", false)] })).toBe(
      "process-group",
    );
  });
});

describe("the sandbox of this machine", () => {
  let folder: string;
  let own: Pick<SandboxRequest, "cwd" | "home" | "temporary" | "writable">;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "ambit-sandbox-test-")));
    const [clone, home, temporary] = [join(folder, "clone"), join(folder, "home"), join(folder, "temporary")];
    for (const path of [clone, home, temporary]) mkdirSync(path);
    writeFileSync(join(folder, "secret"), "secret\n");
    own = { cwd: clone, home, temporary, writable: [clone] };
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function run(report: SandboxReport, script: string, more: Partial<SandboxRequest> = {}) {
    const environment = { PATH: "/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1" };
    const argv = ["/bin/sh", "-c", script];
    const command = buildSandboxCommand({ ...report, ...own, argv, environment, ...more });
    return runCommand({ ...command, cwd: own.cwd, timeoutMs: 20_000 });
  }

  const textOf = ({ stdout }: CommandOutcome): string => stdout.toString("utf8");

  async function landlock(): Promise<SandboxReport> {
    return probeSandboxWith({ ...(await findSandboxTools()), bubblewrap: null });
  }

  it("is bubblewrap, then Landlock, then none, with a clear warning if there is none", async () => {
    expect(await probeSandbox()).toMatchObject({ tier: "bubblewrap", loud: false });
    expect(await landlock()).toMatchObject({ tier: "landlock", loud: false });
    const none = await probeSandboxWith({ ...(await findSandboxTools()), bubblewrap: null, perl: null });
    expect(none).toMatchObject({ tier: "none", loud: true, gives: [] });
    expect(none.reason).toMatch(/install the package bubblewrap/);
  });

  it("is not bubblewrap if that program does not isolate", async () => {
    const found = await findSandboxTools();
    const pretending = join(folder, "bwrap");
    writeFileSync(pretending, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n', {
      mode: 0o755,
    });
    expect(await probeSandboxWith({ ...found, bubblewrap: pretending })).toMatchObject({ tier: "landlock" });
    expect(await probeSandboxWith({ ...found, bubblewrap: "/usr/bin/false" })).toMatchObject({
      tier: "landlock",
    });
  });

  it("shows only the system and the worker's own folders", async () => {
    const report = await probeSandbox();
    const top = textOf(await run(report, "ls / | tr '\\n' ' '"))
      .trim()
      .split(" ");
    const allowed = new Set([
      "bin",
      "dev",
      "etc",
      "lib",
      "lib32",
      "lib64",
      "libx32",
      "proc",
      "sbin",
      "tmp",
      "usr",
    ]);
    expect(top.filter((name) => !allowed.has(name))).toStrictEqual([]);
    expect(textOf(await run(report, `ls ${folder}; ls -A ${own.home}; hostname; id -u`))).toBe(
      `clone\nhome\nambit\n${String(process.getuid?.())}\n`,
    );
  });

  it("gives exactly the requested environment, to the first process too", async () => {
    const seen = textOf(await run(await probeSandbox(), "tr '\\0' '\\n' < /proc/1/environ; env | sort"));
    const names = seen.split("\n").map((line) => line.split("=")[0] ?? "");
    expect([...new Set(names)].toSorted()).toStrictEqual([
      "",
      "GIT_CONFIG_NOSYSTEM",
      "HOME",
      "PATH",
      "PWD",
      "TMPDIR",
    ]);
  });

  it("passes the exit code on, and 127 for a missing program", async () => {
    for (const report of [await probeSandbox(), await landlock()]) {
      expect((await run(report, "exit 7")).exitCode).toBe(7);
      expect((await run(report, "", { argv: ["/nowhere/agent"] })).exitCode).toBe(127);
    }
  });

  it("lets the worker use its folders like any other: links, moves, pipes, locks, temporary files", async () => {
    const script =
      'mkdir a b; echo 1 > a/f; ln a/f b/g; mv a/f b/h; ln -s b/h l; mkfifo p; cat l; echo 2 > "$HOME/x"; ' +
      'f=$(mktemp) && echo 3 > "$f" && cat "$HOME/x" "$f"; echo 4 > /dev/null; git init -q r; node -e "console.log(5)"';
    for (const report of [await probeSandbox(), await landlock()]) {
      const outcome = await run(report, `rm -rf ./*; ${script}`);
      expect(outcome.stderr.toString("utf8")).toBe("");
      expect(textOf(outcome)).toBe("1\n2\n3\n5\n");
    }
  });

  it("does not follow a link out of the worker's folder", async () => {
    symlinkSync(join(folder, "secret"), join(own.cwd, "link"));
    for (const report of [await probeSandbox(), await landlock()]) {
      const outcome = await run(report, "cat link; echo x > link");
      expect(textOf(outcome)).toBe("");
    }
  });

  it("reaches a service on this machine only with network allowed", async () => {
    const server = createServer((socket) => socket.end("hello\n"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const script = `node -e "require('net').connect(${String(port)}, '127.0.0.1').on('error', () => console.log('refused')).pipe(process.stdout)"`;
    for (const report of [await probeSandbox(), await landlock()]) {
      expect(textOf(await run(report, script))).toBe("refused\n");
      expect(textOf(await run(report, script, { network: true }))).toBe("hello\n");
    }
    server.close();
  });
});
