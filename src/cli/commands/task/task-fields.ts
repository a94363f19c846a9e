import type { NewTask } from "../../../tasks/task.ts";
import type { Invocation } from "../../command-module.ts";
import { readTaskIds } from "./read-selection.ts";

/** What the flags of `add` and `edit` say about a task; absent where they say nothing. */
export function readTaskFields(invocation: Invocation): Omit<NewTask, "title" | "parent"> {
  const dependencies = readTaskIds(invocation.option("depends"));
  const description = invocation.option("description");
  const language = invocation.option("lang");
  const priority = invocation.option("priority");
  const criteria = invocation.optionList("accept");
  return {
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { language }),
    ...(priority === undefined ? {} : { priority }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}
