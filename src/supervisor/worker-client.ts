import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { DelegationError } from "../base/delegation-error.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { overSocket } from "./socket/line-connection.ts";
import { replySchema } from "./protocol/envelope.ts";

/** One call, one answer, no handshake: a worker's supervisor always has the worker's version. */
export function callAsWorker(
  socketPath: string,
  call: { readonly method: string; readonly parameters: unknown },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const connection = overSocket(socket, {
      onMessage: (message) => {
        const reply = replySchema.safeParse(message);
        if (!reply.success) return;
        if ("error" in reply.data) reject(new DelegationError(reply.data.error));
        else resolve(reply.data.result);
        connection.close();
      },
      onClose: () => reject(supervisorErrors.goneForWorker()),
    });
    socket.once("connect", () => connection.send({ call: 1, ...call }));
  });
}

const MAX_ANSWER_MS = 2000;

/** Whether a supervisor of this user listens there and knows the token. */
export async function knowsToken(socketPath: string, token: string): Promise<boolean> {
  const socket = lstatSync(socketPath, { throwIfNoEntry: false });
  if (socket?.isSocket() !== true || socket.uid !== process.getuid?.()) return false;
  const deadline = new AbortController();
  const late = delay(MAX_ANSWER_MS, false, { signal: deadline.signal }).catch(() => false);
  const known = callAsWorker(socketPath, { method: "tree", parameters: { token } }).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([known, late]);
  } finally {
    deadline.abort();
  }
}
