import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

const MAX_SHOWN_NAME = 80;

/** Finding, reading and adding templates. */
export const templateErrors = {
  tooManyWays: (count: number, most: number): DelegationError =>
    makeError({
      code: "USAGE",
      message: `${count} ways are named; at most ${most} can be compared.`,
      advice: "Name fewer: each of them needs several stories before a difference says something.",
    }),
  noIndex: (): DelegationError =>
    makeError({
      code: "USAGE",
      message: "No index of templates is set.",
      advice: "Give --index <git URL or folder>, or set it once: ambit config set templates.index <git URL>.",
    }),
  notInIndex: (name: string, index: string, known: readonly string[]): DelegationError =>
    makeError({
      code: "TEMPLATE_NOT_FOUND",
      message: `${index} has no template ${JSON.stringify(name.slice(0, MAX_SHOWN_NAME))}.`,
      advice: `It has: ${known.join(", ")}. Search it with ambit template search <words>.`,
    }),
  holdsCredential: (file: string): DelegationError =>
    makeError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${file} seems to contain a credential. Nothing was published.`,
      advice: "Remove it from the file first: everybody who reads the index would see it.",
    }),
  differsInIndex: (path: string, index: string): DelegationError =>
    makeError({
      code: "TEMPLATE_EXISTS",
      message: `${path} of ${index} has other content. Nothing was published.`,
      advice: "Add --replace to publish a new version of it, or give the template another name.",
    }),
  notAFile: (name: string): DelegationError =>
    makeError({
      code: "USAGE",
      message: `${name} is built in; there is no file to publish.`,
      advice: "Publish templates of .ambit/templates.",
    }),
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
