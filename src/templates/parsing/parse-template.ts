import type * as z from "zod";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { isRecord } from "../../base/json.ts";
import { parseDirectives } from "../../contract/directive.ts";
import { templateSchema, type Template } from "../../contract/template.ts";

export type TemplateReading =
  | { readonly template: Template; readonly problem: undefined }
  | { readonly template: undefined; readonly problem: string };

/**
 * Reads a template: a YAML file, or Markdown with the same fields in its front matter and the guidance as its body.
 * Directives in the guidance must be well-formed, because a manager will copy them.
 */
export async function parseTemplate(text: string, kind: "markdown" | "yaml"): Promise<TemplateReading> {
  const split = kind === "yaml" ? { head: text, body: undefined } : splitFrontMatter(text);
  if (split.head === undefined) return rejectTemplate("it has no front matter between two lines of ---");
  const yaml = await readYaml(split.head);
  if ("problem" in yaml) return rejectTemplate(yaml.problem);
  if (!isRecord(yaml.value)) return rejectTemplate("it has no fields");
  const fields = split.body === undefined ? yaml.value : { ...yaml.value, guidance: split.body };
  const parsed = templateSchema.safeParse(fields);
  if (!parsed.success) return rejectTemplate(listFirstProblems(parsed.error));
  return checkDirectives(parsed.data);
}

/** Checks the whole text, because examples are often inside code. */
function checkDirectives(template: Template): TemplateReading {
  const { guidance } = template;
  const everywhere = new Uint8Array(guidance.length);
  const [error] = parseDirectives(guidance, { parentId: "S-1" }, everywhere).errors;
  return error === undefined
    ? { template, problem: undefined }
    : rejectTemplate(`a directive in it is malformed (${error.code}): ${error.fragment}`);
}

const MAX_SHOWN_PROBLEMS = 3;

function listFirstProblems(error: z.ZodError): string {
  const texts = error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  const more = texts.length > MAX_SHOWN_PROBLEMS ? ` and ${texts.length - MAX_SHOWN_PROBLEMS} more` : "";
  return texts.slice(0, MAX_SHOWN_PROBLEMS).join("; ") + more;
}

function rejectTemplate(problem: string): TemplateReading {
  return { template: undefined, problem };
}

const FENCE = "---";
const BYTE_ORDER_MARK = "\uFEFF";

interface SplitText {
  /** Undefined if the text does not begin with front matter between two fences. */
  readonly head: string | undefined;
  readonly body: string;
}

/** Splits a Markdown file into its front matter and its body. */
function splitFrontMatter(text: string): SplitText {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const lines = plain.replaceAll("\r\n", "\n").split("\n");
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE);
  if (lines[0]?.trimEnd() !== FENCE || end < 0) return { head: undefined, body: lines.join("\n").trim() };
  const body = lines.slice(end + 1).join("\n");
  return { head: lines.slice(1, end).join("\n"), body: body.trim() };
}

/** The YAML library recurses, so a hostile file could end the process. */
const MAX_LEVELS = 32;
const MAX_INDENT = 200;
const MAX_ALIASES = 20;

type YamlReading = { readonly value: unknown } | { readonly problem: string };

/** Reads one YAML document as plain data. Files built to harm the parser are refused before it sees them. */
async function readYaml(text: string): Promise<YamlReading> {
  if (isNestedTooDeeply(text)) return { problem: "it is nested too deeply" };
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { uniqueKeys: true, logLevel: "silent", prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) return { problem: `it is not valid YAML: ${error.message}` };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    return { problem: `it is not usable YAML: ${readErrorMessage(error)}` };
  }
}

/** Counts brackets and list markers without regard to quotes: when in doubt, it refuses. */
function isNestedTooDeeply(text: string): boolean {
  let brackets = 0;
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    if (indent > MAX_INDENT) return true;
    let dashes = 0;
    for (const character of line) {
      if (character === "[" || character === "{") brackets += 1;
      if (character === "]" || character === "}") brackets = Math.max(0, brackets - 1);
      if (brackets > MAX_LEVELS) return true;
    }
    for (const word of line.split(" ")) dashes += word === "-" || word === "?" ? 1 : 0;
    if (dashes > MAX_LEVELS) return true;
  }
  return false;
}
