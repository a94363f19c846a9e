import { connect } from "node:net";
import { DelegationError } from "../base/delegation-error.ts";
import { overSocket, type LineConnection } from "./line-connection.ts";
import { helloSchema, noticeSchema, protocolVersion, replySchema, type Hello } from "./protocol.ts";

export interface SupervisorClient {
  readonly hello: Hello;
  /** Rejects with the supervisor's own error, or SUPERVISOR_GONE when it went away. */
  call(method: string, parameters: unknown): Promise<unknown>;
  onNotice(listener: (notice: string, data: unknown) => void): void;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Connects to a running supervisor, or answers undefined when none listens. */
export async function connectSupervisor(
  socketPath: string,
  version: string,
): Promise<SupervisorClient | undefined> {
  const socket = connect(socketPath);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  if (!isOpen) return undefined;

  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  const listeners: ((notice: string, data: unknown) => void)[] = [];
  let calls = 0;
  let markClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (markClosed = resolve));
  const connection: LineConnection = overSocket(socket, {
    onMessage: (message) => {
      const notice = noticeSchema.safeParse(message);
      if (notice.success) for (const listener of listeners) listener(notice.data.notice, notice.data.data);
      else settle(waiting, message);
    },
    onClose: () => {
      for (const { reject } of waiting.values()) reject(gone());
      waiting.clear();
      markClosed();
    },
  });
  const call = (method: string, parameters: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      connection.send({ call: calls, method, parameters });
    });
  const answer = await call("hello", { protocol: protocolVersion, version }).catch(ifGone);
  // It ended before it could answer: then there is none.
  if (answer === undefined) return undefined;
  const hello = helloSchema.parse(answer);
  if (hello.protocol !== protocolVersion) throw otherVersion(hello, version);
  return {
    hello,
    call,
    closed,
    onNotice: (listener) => void listeners.push(listener),
    close: () => connection.close(),
  };
}

type Waiting = Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>;

function settle(waiting: Waiting, message: unknown): void {
  const parsed = replySchema.safeParse(message);
  if (!parsed.success) return;
  const pending = waiting.get(parsed.data.reply);
  waiting.delete(parsed.data.reply);
  if ("error" in parsed.data) pending?.reject(new DelegationError(parsed.data.error));
  else pending?.resolve(parsed.data.result);
}

function ifGone(error: unknown): undefined {
  if (error instanceof DelegationError && error.code === "SUPERVISOR_GONE") return undefined;
  throw error;
}

function gone(): DelegationError {
  return new DelegationError({
    code: "SUPERVISOR_GONE",
    message: "The supervisor of this project went away.",
    recommendation: "Run the command again: it starts a new one, which picks up where the old one was.",
    recoverable: true,
  });
}

function otherVersion(hello: Hello, version: string): DelegationError {
  return new DelegationError({
    code: "SUPERVISOR_VERSION",
    message: `The running supervisor is ambit ${hello.version}; this is ambit ${version}.`,
    recommendation: "Stop it with ambit supervisor stop; work that is running is kept and can be resumed.",
    recoverable: true,
  });
}
