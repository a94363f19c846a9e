import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

const MAX_SHOWN_NAME = 80;

/** Finding, reading and adding templates. */
export const templateErrors = {
  notFound: (name: string, known: readonly string[]): DelegationError =>
    makeError({
      code: "TEMPLATE_NOT_FOUND",
      message: `There is no template ${JSON.stringify(name.slice(0, MAX_SHOWN_NAME))}.`,
      advice: `Use one of these: ${known.join(", ")}. Add others with ambit template add <folder or git URL>.`,
    }),
  unusable: (file: string, problem: string): DelegationError =>
    makeError({
      code: "TEMPLATE_INVALID",
      message: `The template ${file} cannot be used: ${problem}.`,
      advice: "Correct it; ambit template list shows what is wrong with each template.",
    }),
  sourceRefused: (source: string, problem: string): DelegationError =>
    makeError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${source}: ${problem}. Nothing was written.`,
      advice: "Name a folder, a template file or a git URL with templates you trust.",
    }),
  folderLeadsElsewhere: (folder: string): DelegationError =>
    makeError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${folder} is not a real folder of this project. Nothing was written.`,
      advice: "Remove it, or make it a real folder.",
    }),
  alreadyExists: (file: string): DelegationError =>
    makeError({
      code: "TEMPLATE_EXISTS",
      message: `${file} already exists with other content. Nothing was written.`,
      advice: "Add --replace to overwrite it; its current content is lost unless git has it.",
    }),
};
