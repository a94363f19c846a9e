import { connect } from "node:net";
import { DelegationError } from "../base/delegation-error.ts";
import { overSocket } from "./line-connection.ts";
import { replySchema } from "./protocol.ts";

/** One call, one answer, no handshake: for workers, whose supervisor is of their own version by nature. */
export function callOnce(
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
      onClose: () => reject(gone()),
    });
    socket.once("connect", () => connection.send({ call: 1, ...call }));
  });
}

function gone(): DelegationError {
  return new DelegationError({
    code: "SUPERVISOR_GONE",
    message: "The runtime of this story does not answer.",
    recommendation: "End your turn; you are taken up again when it is back.",
    recoverable: true,
  });
}
