import { mcpErrors } from "../../errors/mcp.ts";
import { callAsWorker } from "../../supervisor/worker-client.ts";
import type { RuntimeLink } from "./link.ts";

export interface WorkerIdentity {
  readonly socket: string | undefined;
  readonly token: string;
}

/** For an agent that Ambit started. Its input cannot replace its token, which is added last. */
export function workerLink({ socket, token }: WorkerIdentity): RuntimeLink {
  return {
    mode: "worker",
    call: async (method, fields) => {
      if (socket === undefined || socket === "") throw mcpErrors.noSocket();
      return callAsWorker(socket, { method, parameters: { ...fields, token } });
    },
    close: () => undefined,
  };
}
