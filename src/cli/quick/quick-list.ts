import { listStories } from "../commands/list.ts";
import { answerQuickly, type QuickStart } from "./answer-quickly.ts";

export function answeredQuickly(start: QuickStart): Promise<boolean> {
  return answerQuickly(start, [{ name: ["list"], answer: listStories, flags: ["open"], options: ["limit"] }]);
}
