import { DelegationError } from "../base/delegation-error.ts";
import { callOnce } from "../supervisor/call-once.ts";
import type { RuntimeLink } from "./runtime-link.ts";

export interface WorkerIdentity {
  readonly socket: string | undefined;
  readonly token: string;
}

/** For an agent we started. What it sends cannot replace its token: that is put in last. */
export function workerLink({ socket, token }: WorkerIdentity): RuntimeLink {
  return {
    mode: "worker",
    call: async (method, fields) => {
      if (socket === undefined || socket === "") throw noSocket();
      return callOnce(socket, { method, parameters: { ...fields, token } });
    },
    close: () => undefined,
  };
}

function noSocket(): DelegationError {
  return new DelegationError({
    code: "NOT_A_WORKER",
    message: "AMBIT_TOKEN is set but AMBIT_SOCKET is not.",
    recommendation: "Leave the environment of this server as ambit set it.",
  });
}
