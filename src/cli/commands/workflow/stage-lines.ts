import { isRecord } from "../../../contract/lenient.ts";
import type { JournalEvent } from "../../../contract/journal-event.ts";
import { stageLine } from "../../../routing/route-command.ts";

/** The later stages in words, as the events of the command's own worker say; undefined for everything else. */
export function stageOf(event: JournalEvent, story: string): string | undefined {
  const isWorker = event.delegation === `${story}-DEL-001`;
  if (event.type === "attempt-started" && isWorker)
    return stageLine(
      5,
      event.attempt === 1 ? "the agent works" : `the agent works, attempt ${event.attempt}`,
    );
  if (event.type === "return-rejected" && isWorker)
    return stageLine(6, `return rejected: ${event.data.codes.join(", ")}`);
  if (event.type === "delegation-returned" && isWorker)
    return stageLine(6, `return ${event.data.status}; now the checks`);
  if (event.type === "task-changed" && event.delegation === story) return settled(event.data.fields);
  return undefined;
}

/** `[7/7] settle TODO.md, state.json, 1 document, commit 1a2b3c4` */
function settled(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { postflight, artifacts, commit } = fields;
  if (!isRecord(postflight)) return undefined;
  const count = Array.isArray(artifacts) ? artifacts.length : 0;
  const parts = [
    ...(postflight["todo_md_updated"] === true ? ["TODO.md"] : []),
    ...(postflight["state_json_updated"] === true ? ["state.json"] : []),
    ...(count === 0 ? [] : [`${count} document${count === 1 ? "" : "s"}`]),
    ...(typeof commit === "string" ? [`commit ${commit.slice(0, 7)}`] : []),
  ];
  return stageLine(7, parts.length === 0 ? "nothing to write" : parts.join(", "));
}
