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

/** Name and files of the agent for a machine without any agent program: it runs, and shows what one has to do. */
export const sampleAgent = "sample";

export const sampleAgentText = [
  "---",
  "# A sample agent: any program can be one. Replace the script by your own.",
  "adapter: command",
  "command: [sh, .ambit/agents/sample.sh]",
  "description: Writes one file, to show how a program becomes an agent",
  "---",
  "",
].join("\n");

export const sampleScriptText = [
  "# The task comes on standard input; what is printed is the log. It runs in a checkout of its own.",
  "task=$(cat)",
  'echo "The task has $(printf %s "$task" | wc -w) words. I write SAMPLE.md."',
  "echo 'Written by the sample agent of Ambit.' > SAMPLE.md",
  "# The return: what was done, in one JSON document.",
  'printf \'{"status":"completed","summary":"Wrote SAMPLE.md.","artifacts":[],"metadata":%s}\' \\',
  '  "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"',
  "",
].join("\n");
