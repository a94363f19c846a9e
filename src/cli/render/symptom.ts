import type { Symptom } from "../../app/symptoms.ts";

/** `id` takes the place of `<id>` in the commands, where one is known. */
export function renderSymptom({ title, signs, causes, steps }: Symptom, id?: string): string {
  return [
    `${title}. ${signs}`,
    "",
    "It may come from:",
    ...causes.map((cause) => `  - ${cause}`),
    "",
    "What to do:",
    ...steps.map(({ text, command }) =>
      command === undefined ? `  ${text}` : `  ${text}:\n      ${command.replaceAll("<id>", id ?? "<id>")}`,
    ),
  ].join("\n");
}

/** `docs/guides/troubleshooting.md`, which a test keeps equal to this. */
export function renderSymptomGuide(symptoms: readonly Symptom[]): string {
  const rows = symptoms.map(({ name, title, signs }) => `| [${name}](#${name}) | ${title}. ${signs} |`);
  return [
    "# Troubleshooting by symptom",
    "",
    "Each symptom below is also a command: it looks for the symptom in your project and prints what it found with these",
    "same causes and steps. Nothing is changed by looking.",
    "",
    "```",
    "ambit doctor                    # is this machine and project ready, is anything left behind?",
    "ambit doctor --symptom hang     # look for one symptom",
    "ambit help troubleshooting      # all symptoms",
    "ambit explain <id>              # why one story or delegation is where it is",
    "```",
    "",
    "| symptom | what you see |",
    "|---|---|",
    ...rows,
    ...symptoms.flatMap(guideSection),
    "",
  ].join("\n");
}

function guideSection({ name, title, signs, causes, steps }: Symptom): readonly string[] {
  return [
    "",
    `## ${name}`,
    "",
    `**${title}.** ${signs}`,
    "",
    "It may come from:",
    "",
    ...causes.map((cause) => `- ${cause}`),
    "",
    "What to do:",
    "",
    ...steps.map(({ text, command }) =>
      command === undefined ? `- ${text}` : `- ${text}: ${code(command)}`,
    ),
  ];
}

/** Code that holds backticks needs more of them around it. */
function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}
