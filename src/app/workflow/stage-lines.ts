import { childId } from "../../contract/child-id.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { readSettledWorkflow } from "../../contract/read-settled-workflow.ts";
import type { SettledWorkflow } from "../../contract/settled-workflow.ts";
import { formatStageLine } from "../../routing/route-command.ts";

/** A later stage in words, for the events of the command's own worker; undefined for every other event. */
export function describeStage(event: JournalEvent, story: string): string | undefined {
  const isWorker = event.delegation === childId(story, 1);
  if (event.type === "attempt-started" && isWorker)
    return formatStageLine(
      5,
      event.attempt === 1 ? "the agent works" : `the agent works, attempt ${event.attempt}`,
    );
  if (event.type === "return-rejected" && isWorker)
    return formatStageLine(6, `return rejected: ${event.data.codes.join(", ")}`);
  if (event.type === "delegation-returned" && isWorker)
    return formatStageLine(6, `return ${event.data.status}; now the checks`);
  const ended = event.delegation === story ? readSettledWorkflow(event) : undefined;
  return ended === undefined ? undefined : describeSettled(ended);
}

/** `[7/7] settle TODO.md, state.json, 1 document, commit 1a2b3c4` */
function describeSettled({ postflight, artifacts, commit }: SettledWorkflow): string {
  const count = artifacts.length;
  const parts = [
    ...(postflight.todo_md_updated ? ["TODO.md"] : []),
    ...(postflight.state_json_updated ? ["state.json"] : []),
    ...(count === 0 ? [] : [`${count} document${count === 1 ? "" : "s"}`]),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 7)}`]),
  ];
  return formatStageLine(7, parts.length === 0 ? "nothing to write" : parts.join(", "));
}
