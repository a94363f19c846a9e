import { decodePercent } from "../../base/decode-percent.ts";
import type { RuntimeLink } from "../../app/runtime-link.ts";

interface ResourceTexts {
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const JSON_TYPE = "application/json";
const STORY = "ambit://story/";
const DELEGATION = "ambit://delegation/";

export const resources: readonly (ResourceTexts & { readonly uri: string })[] = [
  {
    uri: `${STORY}tree`,
    name: "tree",
    description: "The workers of your story, with their managers and their work",
    mimeType: JSON_TYPE,
  },
  { uri: `${STORY}log`, name: "log", description: "The newest events of your story", mimeType: JSON_TYPE },
  { uri: `${STORY}diff`, name: "diff", description: "What you changed", mimeType: "text/x-diff" },
];

export const resourceTemplates: readonly (ResourceTexts & { readonly uriTemplate: string })[] = [
  {
    uriTemplate: `${DELEGATION}{id}/output`,
    name: "output",
    description: "The end of the output of one of your workers",
    mimeType: "text/plain",
  },
  {
    uriTemplate: `${DELEGATION}{id}/diff`,
    name: "worker-diff",
    description: "The changes of one of your workers",
    mimeType: "text/x-diff",
  },
];

/** The text of a resource; undefined if no resource has that address. */
export async function readResource(
  link: RuntimeLink,
  uri: string,
): Promise<{ readonly mimeType: string; readonly text: string } | undefined> {
  if (uri === `${STORY}tree`) return asJson(await link.call("tree", {}));
  if (uri === `${STORY}log`) return asJson(await link.call("log", {}));
  if (uri === `${STORY}diff`) return asPatch(await link.call("diff", { kind: "patch" }));
  const [id = "", what, ...rest] = uri.startsWith(DELEGATION)
    ? uri.slice(DELEGATION.length).split("/").map(decodePercent)
    : [];
  if (id === "" || rest.length > 0) return undefined;
  if (what === "diff") return asPatch(await link.call("diff", { id, kind: "patch" }));
  if (what === "output") return asOutput(await link.call("output", { id }));
  return undefined;
}

function asJson(value: unknown): { readonly mimeType: string; readonly text: string } {
  return { mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) };
}

function asPatch(value: unknown): { readonly mimeType: string; readonly text: string } {
  return { mimeType: "text/x-diff", text: readText(value, "patch") };
}

function asOutput(value: unknown): { readonly mimeType: string; readonly text: string } {
  const [stdout, stderr] = [readText(value, "stdout"), readText(value, "stderr")];
  return { mimeType: "text/plain", text: stderr === "" ? stdout : `${stdout}\n--- stderr ---\n${stderr}` };
}

function readText(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null) return "";
  const field: unknown = new Map<string, unknown>(Object.entries(value)).get(name);
  return typeof field === "string" ? field : "";
}
