import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { isMainThread } from "node:worker_threads";
import { supervisorErrors } from "../../errors/supervisor.ts";
import { overSocket, type LineConnection } from "./line-connection.ts";
import { callSchema, describeError, pingSchema, type Notice } from "../protocol/envelope.ts";

/** One connected client: a handler may send it notices later and learns when it is gone. */
export interface Client {
  notify(notice: Notice): void;
  onClose(action: () => void): void;
  /** Whether its process belongs to a run; null if this machine cannot tell. */
  isInsideRun(): Promise<boolean | null>;
}

/** Finds out whether the process at the other end belongs to a run; null if this machine cannot tell. */
export type JudgePeer = (socket: Socket) => Promise<boolean | null>;

export type Handler = (parameters: unknown, client: Client) => Promise<unknown>;

/** One connection, and the number of calls that were accepted from it. */
interface Caller {
  readonly connection: LineConnection;
  taken: number;
}

/** Within this time, a client reads the last answers and closes its side. */
const CLOSE_MS = 2000;

export interface SocketServerOptions {
  /** Runs whenever the last client leaves. */
  readonly onQuiet?: (() => void) | undefined;
  /** Runs before a call is accepted; after `leave` the call is not accepted. */
  readonly onCall?: (() => void) | undefined;
  /** Without it nothing is known about clients. */
  readonly judgePeer?: JudgePeer | undefined;
}

/** Serves calls on a unix socket that only this user can open. */
export class SocketServer {
  readonly #server: Server;
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #sockets = new Map<Socket, Caller>();
  readonly #options: SocketServerOptions;
  #closed: Promise<void> | undefined;

  constructor(handlers: ReadonlyMap<string, Handler>, options: SocketServerOptions = {}) {
    this.#handlers = handlers;
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get clients(): number {
    return this.#sockets.size;
  }

  /** The caller holds the project lock, so an existing socket was left behind. */
  async listen(path: string): Promise<void> {
    makePrivateFolder(dirname(path));
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      makePrivately(() => this.#server.listen(path, resolve));
    });
    chmodSync(path, 0o600);
  }

  /**
   * Stops listening and accepting calls, both at once. Every client learns which of its calls were accepted; those are
   * still answered.
   */
  leave(): void {
    if (this.#closed !== undefined) return;
    this.#closed = new Promise((resolve) => this.#server.close(() => resolve()));
    for (const { connection, taken } of this.#sockets.values()) connection.send({ leaving: taken });
  }

  async close(): Promise<void> {
    this.leave();
    for (const socket of this.#sockets.keys()) socket.end();
    const late = setTimeout(() => this.#cutOff(), CLOSE_MS);
    await this.#closed;
    clearTimeout(late);
  }

  /** A client that is stopped, for example with Ctrl-Z, never closes its side. */
  #cutOff(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  #accept(socket: Socket): void {
    const closing: (() => void)[] = [];
    let isClosed = false;
    // The peer is judged at once: later, its process may have ended and another one may have its pid.
    const judged = this.#options.judgePeer?.(socket) ?? Promise.resolve(null);
    const connection: LineConnection = overSocket(socket, {
      onMessage: (message) => {
        if (pingSchema.safeParse(message).success) return connection.send({ pong: true });
        this.#options.onCall?.();
        if (this.#closed !== undefined) return;
        caller.taken += 1;
        void this.#answer(message, connection, client);
      },
      onClose: () => {
        isClosed = true;
        this.#sockets.delete(socket);
        for (const action of closing) action();
        if (this.#sockets.size === 0) this.#options.onQuiet?.();
      },
    });
    const client: Client = {
      notify: (notice) => connection.send(notice),
      // The client may have gone while its call was handled.
      onClose: (action) => (isClosed ? action() : void closing.push(action)),
      isInsideRun: () => judged,
    };
    const caller: Caller = { connection, taken: 0 };
    this.#sockets.set(socket, caller);
  }

  async #answer(message: unknown, connection: LineConnection, client: Client): Promise<void> {
    const parsed = callSchema.safeParse(message);
    if (!parsed.success) return connection.close();
    const { call, method, parameters } = parsed.data;
    const handler = this.#handlers.get(method);
    try {
      if (handler === undefined) throw supervisorErrors.unknownMethod(method);
      connection.send({ reply: call, result: (await handler(parameters, client)) ?? null });
    } catch (error) {
      connection.send({ reply: call, error: describeError(error) });
    }
  }
}

/**
 * The socket is closed to others from its first moment. The umask is set only here: for the whole process it would also
 * apply to the files that git, workers and checks make for the user, and to the task files of the project.
 */
function makePrivately(make: () => void): void {
  // Threads cannot change the umask.
  if (!isMainThread) return make();
  const usual = process.umask(0o177);
  try {
    make();
  } finally {
    process.umask(usual);
  }
}

/** Another user who owns the folder could replace our socket with theirs. */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  const uid = process.getuid?.();
  if (stat.isDirectory() && (uid === undefined || stat.uid === uid)) return;
  throw supervisorErrors.foreignFolder(folder);
}
