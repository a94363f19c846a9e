import type * as z from "zod";
import { parseDirectives } from "../contract/directive.ts";
import { isRecord } from "../contract/lenient.ts";
import { templateSchema, type Template } from "../contract/template.ts";
import { splitFrontMatter } from "./parsing/front-matter.ts";
import { readYaml } from "./parsing/read-yaml.ts";

export type TemplateReading =
  | { readonly template: Template; readonly problem: undefined }
  | { readonly template: undefined; readonly problem: string };

/**
 * Reads a template: a YAML file, or Markdown whose front matter says what a YAML file would and whose body is the
 * guidance. Directives in the guidance must be well-formed, as a manager will copy them.
 */
export async function parseTemplate(text: string, kind: "markdown" | "yaml"): Promise<TemplateReading> {
  const split = kind === "yaml" ? { head: text, body: undefined } : splitFrontMatter(text);
  if (split.head === undefined) return unusable("it has no front matter between two lines of ---");
  const yaml = await readYaml(split.head);
  if ("problem" in yaml) return unusable(yaml.problem);
  if (!isRecord(yaml.value)) return unusable("it holds no fields");
  const fields = split.body === undefined ? yaml.value : { ...yaml.value, guidance: split.body };
  const parsed = templateSchema.safeParse(fields);
  if (!parsed.success) return unusable(firstProblems(parsed.error));
  return checkDirectives(parsed.data);
}

/** Also inside code, where examples stand. */
function checkDirectives(template: Template): TemplateReading {
  const { guidance } = template;
  const everywhere = new Uint8Array(guidance.length);
  const [error] = parseDirectives(guidance, { parentId: "S-1" }, everywhere).errors;
  return error === undefined
    ? { template, problem: undefined }
    : unusable(`a directive in it is malformed (${error.code}): ${error.fragment}`);
}

const SHOWN = 3;

function firstProblems(error: z.ZodError): string {
  const texts = error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  const more = texts.length > SHOWN ? ` and ${texts.length - SHOWN} more` : "";
  return texts.slice(0, SHOWN).join("; ") + more;
}

function unusable(problem: string): TemplateReading {
  return { template: undefined, problem };
}
