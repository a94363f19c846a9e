import { lstatSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { DelegationError } from "../../base/delegation-error.ts";
import { supervisorErrors } from "../../errors/supervisor.ts";
import { leavingSchema, type Notice, noticeSchema, pongSchema, replySchema } from "../protocol/envelope.ts";
import { overSocket } from "./line-connection.ts";

/** With this interval a peer is given up after ten seconds. */
const TICK_MS = 2500;
const MAX_SILENT_TICKS = 3;
const WRITABLE_BY_OTHERS = 0o022;

/** The other side left before it accepted the call, which therefore has no effect and can be sent to its successor. */
export class CallNotTaken extends Error {
  constructor() {
    super("The supervisor left before it took the call.");
    this.name = "CallNotTaken";
  }
}

/** A connection that makes calls by name; `client.ts` and `worker-client.ts` give them types. */
export interface LineClient {
  /**
   * Rejects with the other side's own error, with CallNotTaken, with SUPERVISOR_GONE if the connection ends first, or with
   * SUPERVISOR_STUCK if the other side gives no sign of life.
   */
  call(method: string, parameters: unknown): Promise<unknown>;
  onNotice(listener: (notice: Notice) => void): void;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
  close(): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Connects to a socket; undefined if nothing listens there. `describeSilence` names a peer that does not answer. */
export async function connectLine(
  socketPath: string,
  describeSilence = (): DelegationError => supervisorErrors.foreignListener(socketPath),
): Promise<LineClient | undefined> {
  refuseForeignSocket(socketPath);
  const socket = connect(socketPath);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
  return isOpen ? openClient(socket, describeSilence) : undefined;
}

function openClient(socket: Socket, describeSilence: () => DelegationError): LineClient {
  const waiting = new Map<number, Waiting>();
  const listeners: ((notice: Notice) => void)[] = [];
  let calls = 0;
  let isLeaving = false;
  let markClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (markClosed = resolve));
  const rejectAll = (error: DelegationError): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const watch = watchSilence({
    ping: () => connection.send({ ping: true }),
    onSilent: () => {
      rejectAll(describeSilence());
      socket.destroy();
    },
  });
  const connection = overSocket(socket, {
    onMessage: (message) => {
      watch.noteMessage();
      if (pongSchema.safeParse(message).success) return;
      const notice = noticeSchema.safeParse(message);
      if (notice.success) for (const listener of listeners) listener(notice.data);
      else if (rejectUntaken(waiting, message)) isLeaving = true;
      else settleCall(waiting, message);
    },
    onClose: () => {
      isLeaving = true;
      watch.stop();
      rejectAll(supervisorErrors.gone());
      markClosed();
    },
  });
  return {
    call: (method, parameters) =>
      new Promise((resolve, reject) => {
        if (isLeaving) return reject(new CallNotTaken());
        calls += 1;
        waiting.set(calls, { resolve, reject });
        connection.send({ call: calls, method, parameters });
      }),
    onNotice: (listener) => void listeners.push(listener),
    closed,
    close: () => connection.close(),
  };
}

/** Whether the message says that the other side is leaving. Calls that it has accepted are still answered. */
function rejectUntaken(waiting: Map<number, Waiting>, message: unknown): boolean {
  const parsed = leavingSchema.safeParse(message);
  if (!parsed.success) return false;
  const untaken = [...waiting].filter(([call]) => call > parsed.data.leaving);
  for (const [call, { reject }] of untaken) {
    waiting.delete(call);
    reject(new CallNotTaken());
  }
  return true;
}

function settleCall(waiting: Map<number, Waiting>, message: unknown): void {
  const parsed = replySchema.safeParse(message);
  if (!parsed.success) return;
  const pending = waiting.get(parsed.data.reply);
  waiting.delete(parsed.data.reply);
  if ("error" in parsed.data) pending?.reject(new DelegationError(parsed.data.error));
  else pending?.resolve(parsed.data.result);
}

/**
 * Throws if another user could be the one who answers: the folder or the socket belongs to someone else, is a link, or
 * the folder lets others put a socket there. The caller then sends the words of its person to the other side.
 */
function refuseForeignSocket(socketPath: string): void {
  const uid = process.getuid?.();
  const socket = lstatSync(socketPath, { throwIfNoEntry: false });
  if (uid === undefined || socket === undefined) return;
  const folder = dirname(socketPath);
  const place = lstatSync(folder, { throwIfNoEntry: false });
  const isOurs =
    place?.isDirectory() === true && place.uid === uid && (place.mode & WRITABLE_BY_OTHERS) === 0;
  if (!isOurs) throw supervisorErrors.foreignFolder(folder);
  if (!socket.isSocket() || socket.uid !== uid) throw supervisorErrors.foreignSocket(socketPath);
}

interface SilenceWatch {
  /** Called when something came from the peer. */
  readonly noteMessage: () => void;
  readonly stop: () => void;
}

/**
 * Notices a peer that is stopped or busy forever. It counts ticks instead of comparing times: a client that was itself
 * stopped for a while first reads the messages that arrived meanwhile.
 */
function watchSilence(peer: { readonly ping: () => void; readonly onSilent: () => void }): SilenceWatch {
  let silentTicks = 0;
  const timer = setInterval(() => {
    silentTicks += 1;
    if (silentTicks === 1) peer.ping();
    if (silentTicks <= MAX_SILENT_TICKS) return;
    clearInterval(timer);
    peer.onSilent();
  }, TICK_MS);
  timer.unref();
  return { noteMessage: () => (silentTicks = 0), stop: () => clearInterval(timer) };
}
