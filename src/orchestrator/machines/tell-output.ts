import type { OutputChunk } from "../../journal/machines.ts";
import { redactCredentials } from "../../redaction/redact.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** Shows the output of an agent on another machine to watchers, as if it ran here. */
export function tellOutput(
  tools: Pick<RunTools, "findAdapter" | "store" | "watch">,
): (chunk: OutputChunk) => void {
  let turn: Promise<void> = Promise.resolve();
  const tell = async ({ delegation: id, text }: OutputChunk): Promise<void> => {
    const delegation = await tools.store.delegation(id);
    if (delegation === undefined) return;
    const adapter = tools.findAdapter(delegation.work?.adapter ?? "command");
    for (const event of text.split("\n").flatMap((line) => (line === "" ? [] : adapter.parse(line))))
      if (event.kind === "text")
        tools.watch({ kind: "output", delegation: id, text: redactCredentials(event.text).text });
  };
  return (chunk) => {
    // No step waits for it, and its order is kept.
    if (chunk.stream === "stdout") turn = turn.then(() => tell(chunk)).catch(() => undefined);
  };
}
