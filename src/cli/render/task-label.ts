/** `2.1` for the first worker of the second; the story itself goes by its id. */
export function taskLabel(id: string, story: string): string {
  if (id === story || !id.startsWith(`${story}-DEL-`)) return id;
  return id
    .slice(story.length + "-DEL-".length)
    .split("-DEL-")
    .map(Number)
    .join(".");
}
