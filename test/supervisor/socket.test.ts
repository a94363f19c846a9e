import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DelegationError } from "../../src/base/delegation-error.ts";
import { connectSupervisor } from "../../src/supervisor/client.ts";
import { writeOwner } from "../../src/supervisor/project-owner.ts";
import { connectLine } from "../../src/supervisor/socket/line-client.ts";
import { protocolVersion } from "../../src/supervisor/protocol/envelope.ts";
import { SocketServer, type Client, type Handler } from "../../src/supervisor/socket/socket-server.ts";
import { supervisorFiles } from "../../src/supervisor/supervisor-files.ts";

let folder: string;
let path: string;
let server: SocketServer;
let watching: Client | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "ambit-socket-"));
  path = join(folder, "private", "s.sock");
  const handlers = new Map<string, Handler>([
    ["hello", async () => ({ protocol: protocolVersion, version: "1.2.3", pid: 7 })],
    ["double", async (parameters) => Number(parameters) * 2],
    ["nothing", async () => undefined],
    ["watch", async (_parameters, client) => void (watching = client)],
    [
      "refuse",
      async () => Promise.reject(new DelegationError({ code: "USAGE", message: "no", recommendation: "do" })),
    ],
    ["break", async () => Promise.reject(new TypeError("inside"))],
    ["never", async () => new Promise(() => undefined)],
  ]);
  server = new SocketServer(handlers);
  await server.listen(path);
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const client = async () => {
  const connected = await connectLine(path);
  if (connected === undefined) throw new Error("no server listens");
  return connected;
};

/** Nothing is written there. */
const place = (socket: string) => ({ socket, owner: join(folder, "owner.json") });

describe("a supervisor", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  /** Lets the clients look several times, with a turn of the event loop for each answer. */
  async function passTime(): Promise<void> {
    for (let tick = 0; tick < 20; tick += 1) {
      vi.advanceTimersByTime(2500);
      await delay(20);
    }
  }

  it("is abandoned if it accepts calls and never answers, and the error names the owner of the project", async () => {
    const silent = createServer(() => undefined);
    const quiet = join(folder, "silent.sock");
    await new Promise<void>((resolve) => silent.listen(quiet, resolve));
    const ask = async (): Promise<unknown> => {
      const asked = connectSupervisor(place(quiet), { version: "1" }).catch((error: unknown) => error);
      await passTime();
      return asked;
    };
    const unknown = await ask();
    writeOwner(place(quiet).owner, "1.2.3");
    expect([unknown, await ask()]).toMatchObject([
      { code: "SUPERVISOR_STUCK", message: expect.stringContaining("is not the owner") },
      { code: "SUPERVISOR_STUCK", message: expect.stringContaining(`process ${process.pid}, ambit 1.2.3`) },
    ]);
    silent.close();
  });

  it("may take its time for a call while it is alive, even when it leaves", async () => {
    const connected = await client();
    const ended = vi.fn<() => void>();
    connected.call("never", {}).catch(ended);
    void connected.closed.then(ended);
    await passTime();
    server.leave();
    await passTime();
    expect(ended).not.toHaveBeenCalled();
    connected.close();
  });
});

describe("the socket", () => {
  it("is private to the user, folder and socket", () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "private")).mode & 0o777).toBe(0o700);
  });

  it("answers many calls at once, each with its own answer", async () => {
    const connected = await client();
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, index) => connected.call("double", index)),
    );
    expect(answers).toEqual(Array.from({ length: 500 }, (_, index) => index * 2));
    expect(await connected.call("nothing", {})).toBeNull();
    connected.close();
  });

  it("passes errors on unchanged, and hides no crash", async () => {
    const connected = await client();
    await expect(connected.call("refuse", {})).rejects.toMatchObject({
      code: "USAGE",
      message: "no",
      recommendation: "do",
    });
    await expect(connected.call("break", {})).rejects.toMatchObject({ code: "INTERNAL", message: "inside" });
    await expect(connected.call("unheard-of", {})).rejects.toMatchObject({ code: "USAGE" });
    expect(await connected.call("double", 4)).toBe(8);
    connected.close();
  });

  it("sends notifications to watchers until they leave", async () => {
    const connected = await client();
    const seen = new Promise((resolve) => connected.onNotice(resolve));
    await connected.call("watch", {});
    let left = false;
    watching?.onClose(() => (left = true));
    const notice = { notice: "output", data: { delegation: "S-1", text: "x" } } as const;
    watching?.notify(notice);
    expect(await seen).toEqual(notice);
    connected.close();
    await connected.closed;
    await expect.poll(() => left).toBe(true);
    watching?.notify(notice);
  });

  it("closes although a client that was stopped never closes its side", async () => {
    const stopped = connect({ path, allowHalfOpen: true });
    await once(stopped, "connect");
    await vi.waitUntil(() => server.clients === 1);
    await expect(server.close()).resolves.toBeUndefined();
    stopped.destroy();
  });

  it("rejects pending calls when the supervisor exits", async () => {
    const connected = await client();
    const waiting = connected.call("never", {});
    const rejected = expect(waiting).rejects.toMatchObject({ code: "SUPERVISOR_GONE" });
    // Calls are taken in their order, so the first one was taken when the second one is answered.
    await connected.call("nothing", {});
    await server.close();
    await rejected;
  });

  it("disconnects clients that do not speak the protocol, and serves the others", async () => {
    const good = await client();
    for (const bytes of [
      "GET / HTTP/1.1\r\n\r\n",
      "{}\n",
      "[1]\n",
      '{"call":-1,"method":"double"}\n',
      "\u0000\u0001\n",
      "x".repeat(9_000_000),
    ]) {
      const socket = connect(path);
      const closed = new Promise((resolve) => socket.on("close", resolve));
      socket.on("error", () => undefined);
      socket.write(bytes);
      await closed;
    }
    expect(await good.call("double", 21)).toBe(42);
    good.close();
  });

  it("yields no client, and no error, if it does not exist", async () => {
    expect(await connectSupervisor(place(join(folder, "none.sock")), { version: "1" })).toBeUndefined();
  });

  it("refuses a supervisor of another protocol, naming both versions", async () => {
    const other = createServer((socket) => {
      socket.on("data", (data) => {
        const { call } = JSON.parse(String(data));
        socket.write(
          `${JSON.stringify({ reply: call, result: { protocol: 99, version: "9.9.9", pid: 1 } })}\n`,
        );
      });
    });
    const otherPath = join(folder, "other.sock");
    await new Promise<void>((resolve) => other.listen(otherPath, resolve));
    await expect(connectSupervisor(place(otherPath), { version: "1.2.3" })).rejects.toMatchObject({
      code: "SUPERVISOR_VERSION",
    });
    await expect(connectSupervisor(place(otherPath), { version: "1.2.3" })).rejects.toThrow(
      /9\.9\.9.*1\.2\.3/,
    );
    const any = await connectSupervisor(place(otherPath), { version: "1.2.3", anyProtocol: true });
    expect(any?.hello.version).toBe("9.9.9");
    any?.close();
    other.close();
  });
});

describe("the socket's place", () => {
  it("is in the project, or at a shorter path if that one is too long for the kernel", () => {
    expect(supervisorFiles("/p").socket).toBe("/p/.git/ambit/supervisor.sock");
    const deep = supervisorFiles(`/${"long/".repeat(30)}`).socket;
    expect(Buffer.byteLength(deep)).toBeLessThan(108);
    expect(deep).not.toBe(supervisorFiles(`/${"long/".repeat(31)}`).socket);
  });

  it.each([10, 40, 60, 64, 70, 80, 200])(
    "is short enough for workers, who see the state folder further down, in a path of %d bytes",
    (bytes) => {
      const root = `/${"p".repeat(bytes - 1)}`;
      const { workerSocket } = supervisorFiles(root);
      const seen = workerSocket.replace(`${root}/.git`, `${root}.worktrees/ambit/git`);
      expect(Buffer.byteLength(seen)).toBeLessThan(108);
    },
  );

  it("is the same for commands with another folder for temporary files", () => {
    const deep = `/${"long/".repeat(30)}`;
    const before = supervisorFiles(deep);
    vi.stubEnv("TMPDIR", `/${"temporary/".repeat(20)}`);
    expect(supervisorFiles(deep)).toEqual(before);
    vi.unstubAllEnvs();
  });
});
