import type { Symptom } from "../../app/symptoms.ts";
import { wrapWords } from "./wrap-words.ts";

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
    "Each symptom below is also a command. It looks for the symptom in your project, prints what it finds with the same",
    "causes and steps, and changes nothing.",
    "",
    "```sh",
    "ambit doctor                    # check this machine and project",
    "ambit doctor --symptom hang     # look for one symptom",
    "ambit help troubleshooting      # list all symptoms",
    "ambit explain TIMEOUT           # explain a code, or a story or delegation by its id",
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
    ...wrapWords(`**${title}.** ${signs}`.split(" "), { first: "", indent: "", width: GUIDE_WIDTH }),
    "",
    "It may come from:",
    "",
    ...causes.flatMap((cause) => listItem(cause.split(" "))),
    "",
    "What to do:",
    "",
    ...steps.flatMap(({ text, command }) =>
      listItem(command === undefined ? text.split(" ") : `${text}:`.split(" ").concat(code(command))),
    ),
  ];
}

const GUIDE_WIDTH = 120;

function listItem(words: readonly string[]): readonly string[] {
  return wrapWords(words, { first: "- ", indent: "  ", width: GUIDE_WIDTH });
}

/** Code that holds backticks needs more of them around it. */
function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}
