import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import type { SupervisorClient } from "../../../supervisor/client.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { describeEnding, endSchema, showNotice, type Ending } from "./show-story.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

/** Shows a story until it ends, or until the person detaches or stops it. */
export async function followStory(
  context: CommandContext,
  client: SupervisorClient,
  story: string,
): Promise<CommandOutcome> {
  const ended = new Promise<Ending | "gone">((resolve) => {
    client.onNotice((notice, data) => {
      if (notice === "ended") resolve(endSchema.parse(data));
      else showNotice(context, notice, data);
    });
    void client.closed.then(() => resolve("gone"));
  });
  const interrupts = watchInterrupts(context, {
    story,
    stop: () => client.call("stop", { story, reason: "Ctrl-C", by: "person" }),
  });
  try {
    const ending = await Promise.race([ended, interrupts.detached]);
    if (ending === "gone")
      return interrupted(story, "The supervisor went away; run ambit status.", exitCode.failed);
    if (typeof ending === "number") return interrupted(story, `${story} keeps working.`, ending);
    return describeEnding(ending, interrupts.signalCode());
  } finally {
    interrupts.release();
  }
}

function interrupted(story: string, message: string, code: ExitCode): CommandOutcome {
  return {
    exitCode: code,
    json: { story, outcome: null, code: null, summary: message },
    text: `${message}\n  watch  ambit attach ${story}\n  stop   ambit stop ${story}`,
  };
}
