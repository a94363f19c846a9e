import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tryExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { openStore } from "../../src/journal/open-store.ts";
import { connectLine } from "../../src/supervisor/socket/line-client.ts";

let folder: string;
let server: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "secrets-socket-"));
  server = createServer((socket) => socket.on("error", () => undefined));
  await listen(join(folder, "a.sock"));
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function listen(path: string): Promise<void> {
  return new Promise((resolve) => server.listen(path, resolve));
}

/** A client without our checks, which connects to any socket that listens. */
function connectPlainly(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function isAccepted(path: string): Promise<boolean> {
  const client = await connectLine(path);
  client?.close();
  return client !== undefined;
}

describe("a socket of a supervisor", () => {
  it("is used if only we can access its folder and socket", async () => {
    expect(await isAccepted(join(folder, "a.sock"))).toBe(true);
  });

  it("counts as absent if no file exists", async () => {
    expect(await isAccepted(join(folder, "b.sock"))).toBe(false);
  });

  it("is refused in a folder that others can write to", async () => {
    chmodSync(folder, 0o777);
    expect(await connectPlainly(join(folder, "a.sock"))).toBe(true);
    await expect(connectLine(join(folder, "a.sock"))).rejects.toMatchObject({ code: "STORE_UNUSABLE" });
  });

  it("is refused behind a link", async () => {
    symlinkSync(join(folder, "a.sock"), join(folder, "b.sock"));
    symlinkSync(folder, join(folder, "link"));
    for (const path of [join(folder, "b.sock"), join(folder, "link", "a.sock")]) {
      expect(await connectPlainly(path)).toBe(true);
      await expect(connectLine(path)).rejects.toMatchObject({ code: "STORE_UNUSABLE" });
    }
  });

  it("is refused if it is a regular file", async () => {
    writeFileSync(join(folder, "b.sock"), "");
    await expect(connectLine(join(folder, "b.sock"))).rejects.toMatchObject({ code: "STORE_UNUSABLE" });
  });

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)("is refused if another user owns the folder or the socket", async () => {
    chownSync(join(folder, "a.sock"), 65_534, 65_534);
    expect(await connectPlainly(join(folder, "a.sock"))).toBe(true);
    await expect(connectLine(join(folder, "a.sock"))).rejects.toMatchObject({ code: "STORE_UNUSABLE" });
    chownSync(join(folder, "a.sock"), 0, 0);
    chownSync(folder, 65_534, 65_534);
    expect(await connectPlainly(join(folder, "a.sock"))).toBe(true);
    await expect(connectLine(join(folder, "a.sock"))).rejects.toMatchObject({ code: "STORE_UNUSABLE" });
  });
});

describe("the store and the locks", () => {
  it("can be read by their owner only, whatever the folder's mode and the umask are", async () => {
    const state = join(folder, "state");
    mkdirSync(state);
    chmodSync(state, 0o755);
    const file = join(state, "ambit.db");
    writeFileSync(join(state, "plain"), "");
    const store = openStore(file);
    const lock = tryExclusiveLock(join(state, "x.lock"));
    // Control: a file made in the usual way is readable by others here.
    expect(statSync(join(state, "plain")).mode & 0o077).not.toBe(0);
    for (const name of ["ambit.db", "ambit.db-wal", "ambit.db-shm", "x.lock"])
      expect([name, statSync(join(state, name)).mode & 0o077]).toStrictEqual([name, 0]);
    lock?.release();
    await store.close();
  });

  it("become private again where an earlier version left a lock readable, and the lock is not lost", async () => {
    const file = join(folder, "x.lock");
    const lock = tryExclusiveLock(file);
    chmodSync(file, 0o644);
    expect(tryExclusiveLock(file)).toBeUndefined();
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(tryExclusiveLock(file)).toBeUndefined();
    lock?.release();
    const after = tryExclusiveLock(file);
    expect(after).toBeDefined();
    after?.release();
    await Promise.resolve();
  });
});
