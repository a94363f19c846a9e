import { listTasks, showTask } from "../commands/task/read-tasks.ts";
import { answerQuickly, type QuickStart } from "./answer-quickly.ts";

export function answeredQuickly(start: QuickStart): Promise<boolean> {
  return answerQuickly(start, [
    { name: ["task", "list"], answer: listTasks, options: ["status", "lang", "priority"] },
    { name: ["task", "show"], answer: showTask, argument: { name: "task", isRequired: true } },
  ]);
}
