import type { Template } from "../../contract/template.ts";

/** The origin of a template. */
export type TemplateSource = "project" | "built-in";

/** A template that was found: usable, or with the reason why it is not. */
export interface ListedTemplate {
  readonly name: string;
  readonly source: TemplateSource;
  /** Relative to the project; empty for a built-in one. */
  readonly file: string;
  readonly template: Template | undefined;
  readonly problem: string | undefined;
  /** The file of the same name that is used instead. */
  readonly shadowedBy: string | undefined;
}

export const TEMPLATE_FOLDER = ".ambit/templates";
/** If two files have the same name, the first ending wins. */
export const templateEndings = [".md", ".yaml", ".yml"] as const;
export const MAX_TEMPLATE_BYTES = 64 * 1024;
export const MAX_TEMPLATES = 100;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function isTemplateName(name: string): boolean {
  return NAME.test(name);
}

/** `release.yaml` is the template `release`; undefined for a file that cannot be a template. */
export function parseTemplateName(file: string): string | undefined {
  const ending = templateEndings.find((one) => file.endsWith(one));
  const name = ending === undefined ? "" : file.slice(0, -ending.length);
  return isTemplateName(name) && name.toLowerCase() !== "readme" ? name : undefined;
}
