import { DelegationError } from "../../../base/delegation-error.ts";
import { callOnce } from "../../../supervisor/call-once.ts";
import type { CommandContext } from "../../command-module.ts";

/** Calls the runtime the way a worker may: over the workers' socket, with the token it was given. */
export async function callRuntime(
  context: CommandContext,
  method: "delegate" | "ask" | "task_update" | "send_agent_message" | "list_pending_messages",
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const socket = context.environment["AMBIT_SOCKET"];
  const token = context.environment["AMBIT_TOKEN"];
  if (socket === undefined || token === undefined) throw notAWorker();
  return callOnce(socket, { method, parameters: { ...parameters, token } });
}

function notAWorker(): DelegationError {
  return new DelegationError({
    code: "NOT_A_WORKER",
    message: "This is not a worker: AMBIT_SOCKET and AMBIT_TOKEN are not set.",
    recommendation: "Start a story with ambit run; its agents can delegate.",
  });
}
