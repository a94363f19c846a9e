import { formatPlace } from "../../contract/child-id.ts";

/** `2.1` for the first worker of the second; the story itself goes by its id. */
export function taskLabel(id: string, story: string): string {
  return formatPlace(id, story) ?? id;
}
