import type { MessageState } from "../../contract/message-state.ts";
import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Writes down what became of a message; an attempt that is lost later is told again what was told to it. */
export async function markMessage(
  tools: RunTools,
  reader: Pick<Delegation, "id" | "story" | "attempt">,
  { id, state }: { readonly id: string; readonly state: Exclude<MessageState, "pending"> },
): Promise<void> {
  const { id: delegation, story, attempt } = reader;
  const data = { messageId: id, state };
  await tools.store.record({ type: "message-marked", story, delegation, attempt, data });
}
