import { connect } from "node:net";
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
