import { randomBase36 } from "../../src/base/ids.ts";
import { callAsWorker } from "../../src/supervisor/worker-client.ts";

/** Every call a worker's socket knows, as a caller with the right token would make it. */
export function attackCalls(victim: string): readonly { readonly method: string; readonly fields: object }[] {
  const id = `${victim}-DEL-001`;
  return [
    { method: "delegate", fields: { tasks: [{ description: "Forged", agent: "helper" }], waitSeconds: 0 } },
    { method: "wait", fields: { ids: [], waitSeconds: 1 } },
    { method: "ask", fields: { question: "Who am I?", waitSeconds: 0 } },
    {
      method: "task_update",
      fields: { todos: [{ id: "x", content: "x", activeForm: "x", status: "pending" }] },
    },
    { method: "tasks", fields: {} },
    { method: "send_agent_message", fields: { to: "person", message: { type: "ack" } } },
    { method: "list_pending_messages", fields: {} },
    { method: "status", fields: {} },
    { method: "result", fields: { id } },
    { method: "submit_return", fields: { status: "completed", summary: "Forged. All.", artifacts: [] } },
    { method: "verify", fields: { id, verdict: "passed", reason: "forged" } },
    { method: "cancel", fields: { id, reason: "forged" } },
    { method: "reply", fields: { id, answer: "forged" } },
    { method: "tree", fields: {} },
    { method: "diff", fields: {} },
    { method: "log", fields: {} },
    { method: "output", fields: { id } },
    { method: "list_agents", fields: {} },
  ];
}

export interface Tokens {
  /** Held by somebody who runs now. */
  readonly live: string;
  /** Held by somebody who has ended. */
  readonly expired: string;
}

/** An invalid token: made up, nearly right, or of a worker that has ended. */
export function wrongToken({ live, expired }: Tokens, number: number): unknown {
  const nearly = `${live.slice(0, -1)}${live.endsWith("a") ? "b" : "a"}`;
  const kinds: readonly unknown[] = [
    randomBase36(live.length),
    nearly,
    expired,
    "",
    " ",
    live.slice(1),
    `${live} `,
    live.toUpperCase() === live ? `${live}X` : live.toUpperCase(),
    `${live}\0`,
    "x".repeat(100_000),
    null,
    undefined,
    0,
    true,
    [live],
    { token: live },
    "__proto__",
  ];
  return kinds[number % kinds.length];
}

/** Makes one call with such a token; answers the code it was refused with, or what it got. */
export async function attack(
  socket: string,
  call: { readonly method: string; readonly fields: object },
  token: unknown,
): Promise<string> {
  try {
    const got = await callAsWorker(socket, { method: call.method, parameters: { ...call.fields, token } });
    return `ACTED: ${JSON.stringify(got)}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
