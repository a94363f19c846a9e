import { showStatus } from "../commands/status.ts";
import { answerQuickly, type QuickStart } from "./answer-quickly.ts";

export function answeredQuickly(start: QuickStart): Promise<boolean> {
  return answerQuickly(start, [
    {
      name: ["status"],
      answer: showStatus,
      argument: { name: "story", isRequired: false },
      flags: ["all"],
    },
  ]);
}
