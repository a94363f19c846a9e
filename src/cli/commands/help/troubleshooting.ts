import { wrapWords } from "../../render/wrap-words.ts";
import { symptoms } from "../../../app/symptoms.ts";

/** Every symptom by name, so that one of them can be looked for. */
export function renderTroubleshooting(): string {
  return [
    "What you see, by name; each is looked for in your project:",
    "",
    ...symptoms.flatMap(({ name, title, signs }) =>
      wrapWords(`${title}. ${signs}`.split(" "), {
        first: `  ${name.padEnd(NAME_WIDTH)} `,
        indent: " ".repeat(NAME_WIDTH + 3),
      }),
    ),
    "",
    "Look for one:          ambit doctor --symptom hang",
    "Is the machine ready:  ambit doctor",
    "Why is it there:       ambit explain <id>",
  ].join("\n");
}

const NAME_WIDTH = 11;
