import * as z from "zod";
import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import { journalEventSchema, type JournalEvent } from "../../../contract/journal-event.ts";
import type { SupervisorClient } from "../../../supervisor/client.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { createReporter } from "../../reporters/create-reporter.ts";
import { describeEnding, EndingReader, type StoryEnding } from "./story-ending.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

const outputSchema = z.object({ delegation: z.string(), text: z.string() });

/** Shows a story from its beginning until it ends, or until the person detaches or stops it. */
export function followStory(
  context: CommandContext,
  client: SupervisorClient,
  story: string,
): Promise<CommandOutcome> {
  return followEvents(context, client, { story, onEvent: () => undefined });
}

/** The same, with each event also told to somebody else. */
export async function followEvents(
  context: CommandContext,
  client: SupervisorClient,
  { story, onEvent }: { readonly story: string; readonly onEvent: (event: JournalEvent) => void },
): Promise<CommandOutcome> {
  const reporter = await createReporter(context, story, { hint: "Ctrl-C detaches, twice within 2 s stops" });
  const reader = new EndingReader(story);
  const ended = new Promise<StoryEnding | "gone">((resolve) => {
    client.onNotice((notice, data) => {
      if (notice === "output") {
        const { delegation, text } = outputSchema.parse(data);
        return reporter.output(delegation, text);
      }
      const event = journalEventSchema.parse(data);
      reporter.event(event);
      onEvent(event);
      const ending = reader.see(event);
      if (ending !== undefined) resolve(ending);
    });
    void client.closed.then(() => resolve("gone"));
  });
  const interrupts = watchInterrupts(context, {
    story,
    // The story's end is what counts; the answer may come when nobody listens any more.
    stop: () => client.call("stop", { id: story, reason: "Ctrl-C", by: "person" }).catch(() => undefined),
    tell: (text) => reporter.note(text),
  });
  try {
    await client.call("attach", { story });
    const ending = await Promise.race([ended, interrupts.detached]);
    if (ending === "gone")
      return interrupted(story, "The supervisor went away; run ambit status.", exitCode.failed);
    if (typeof ending === "number") return interrupted(story, `${story} keeps working.`, ending);
    reporter.end(ending);
    const outcome = describeEnding(ending, interrupts.signalCode());
    return reporter.answers ? { ...outcome, text: "" } : outcome;
  } finally {
    interrupts.release();
    reporter.close();
  }
}

function interrupted(story: string, message: string, code: ExitCode): CommandOutcome {
  return {
    exitCode: code,
    json: { story, outcome: null, code: null, summary: message },
    text: `${message}\n  watch  ambit attach ${story}\n  stop   ambit stop ${story}`,
  };
}
