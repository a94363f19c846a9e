import { countThings } from "../../base/count-things.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { readSettledWorkflow } from "../../contract/read-settled-workflow.ts";
import type { SettledWorkflow } from "../../contract/settled-workflow.ts";
import { formatStageLine } from "../../routing/route-command.ts";

/** A later stage in words, for the events of the command's own worker; undefined for every other event. */
export function describeStage(event: JournalEvent, story: string): string | undefined {
  const isWorker = event.delegation !== null && isOwnWorker(event.delegation, story);
  const phase = event.type === "delegation-admitted" ? PHASE.exec(event.data.description)?.[0] : undefined;
  if (isWorker && phase !== undefined) return formatStageLine(4, phase);
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
  return ended === undefined ? undefined : describeSettled(ended, story);
}

const PHASE = /phase \d{1,4} of \d{1,4}$/;

/** Its workers delegate themselves; theirs have longer names. */
function isOwnWorker(id: string, story: string): boolean {
  return id.startsWith(`${story}-DEL-`) && /^\d+$/.test(id.slice(`${story}-DEL-`.length));
}

/** `[7/7] settle TODO.md, state.json, 1 document, commit 1a2b3c4 on ambit/T197-research-1, task files not committed` */
function describeSettled(
  { postflight, artifacts, commit, taskCommit }: SettledWorkflow,
  story: string,
): string {
  const hasTaskFiles = postflight.todo_md_updated || postflight.state_json_updated;
  const count = artifacts.length;
  const parts = [
    ...(postflight.todo_md_updated ? ["TODO.md"] : []),
    ...(postflight.state_json_updated ? ["state.json"] : []),
    ...(count === 0 ? [] : [countThings(count, "document")]),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 7)} on ambit/${story}`]),
    ...(taskCommit === null ? [] : [`commit ${taskCommit.slice(0, 7)} of the task files on your branch`]),
    ...(hasTaskFiles && taskCommit === null ? ["task files not committed"] : []),
  ];
  return formatStageLine(7, parts.length === 0 ? "nothing to write" : parts.join(", "));
}
