import { appErrors } from "../../errors/app.ts";
import { callAsWorker } from "../../supervisor/worker-client.ts";

/** Calls the runtime the way a worker may: over the workers' socket, with the token it was given. */
export async function callRuntime(
  { environment }: { readonly environment: Readonly<Record<string, string | undefined>> },
  method: "delegate" | "ask" | "task_update" | "send_agent_message" | "list_pending_messages",
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { AMBIT_SOCKET: socket, AMBIT_TOKEN: token } = environment;
  if (socket === undefined || token === undefined) throw appErrors.notAWorker();
  return callAsWorker(socket, { method, parameters: { ...parameters, token } });
}
