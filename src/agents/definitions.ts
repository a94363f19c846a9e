import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { DelegationError, messageOf } from "../base/delegation-error.ts";

/** An agent by name: how it is driven, and what it is told before its task. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly adapter: string;
  readonly command: readonly string[];
  readonly model: string | undefined;
  readonly isolation: "worktree" | "sandbox" | undefined;
  /** The text below the front matter. */
  readonly instructions: string;
  readonly file: string;
}

const frontMatterSchema = z.looseObject({
  name: z.string().min(1).max(100).optional(),
  description: z.string().max(2000).default(""),
  adapter: z.string().min(1).max(100),
  command: z.array(z.string()).max(1000).default([]),
  model: z.string().max(200).optional(),
  isolation: z.enum(["worktree", "sandbox"]).optional(),
});

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const FENCE = "---";

/** Reads `.ambit/agents/<name>.md`; undefined when there is none. A name can never lead out of that folder. */
export async function readDefinition(
  projectRoot: string,
  name: string,
): Promise<AgentDefinition | undefined> {
  if (!NAME.test(name)) return undefined;
  const file = join(projectRoot, ".ambit", "agents", `${name}.md`);
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const { head, body } = splitFrontMatter(text);
  const { parse } = await import("yaml");
  try {
    const fields = frontMatterSchema.parse(parse(head));
    const { description, adapter, command, model, isolation } = fields;
    return { name, description, adapter, command, model, isolation, instructions: body.trim(), file };
  } catch (error) {
    throw unusable(file, error);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Not there: the caller says which agents exist.
    return undefined;
  }
}

function splitFrontMatter(text: string): { readonly head: string; readonly body: string } {
  const lines = text.split("\n");
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === FENCE);
  if (lines[0]?.trim() !== FENCE || end < 0) return { head: "{}", body: text };
  return { head: lines.slice(1, end).join("\n"), body: lines.slice(end + 1).join("\n") };
}

function unusable(file: string, cause: unknown): DelegationError {
  return new DelegationError({
    code: "CONFIG_INVALID",
    message: `The agent definition ${file} is not usable: ${messageOf(cause)}`,
    recommendation: "Give it front matter with at least adapter: command and command: [program].",
    cause,
  });
}
