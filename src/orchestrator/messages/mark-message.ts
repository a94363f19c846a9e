import type { MessageState } from "../../contract/message-state.ts";
import { type EventAbout, recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Records the state of a message. After a lost attempt its messages are delivered again. */
export async function markMessage(
  tools: RunTools,
  reader: EventAbout,
  { id, state }: { readonly id: string; readonly state: Exclude<MessageState, "pending"> },
): Promise<void> {
  await recordEvent(tools, reader, { type: "message-marked", data: { messageId: id, state } });
}
