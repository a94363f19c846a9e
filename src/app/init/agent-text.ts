/** The text of a new `.ambit/agents/<name>.md` for an agent program. */
export function buildAgentText(adapter: string): string {
  return [
    "---",
    "# An agent of this project: ambit agents show says which fields count.",
    `adapter: ${adapter}`,
    "description: Works on whole stories and on parts of them",
    "# model: a name this program knows; its own default when absent",
    "---",
    "Read what is there before you change it, and change no more than the task needs.",
    "",
  ].join("\n");
}
