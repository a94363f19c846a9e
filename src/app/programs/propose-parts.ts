import { rmSync } from "node:fs";
import * as z from "zod";
import { readRegularText } from "../../base/files.ts";
import { parseJson } from "../../base/json.ts";
import type { DelegationRequest } from "../../contract/delegation-request.ts";
import { templateSchema } from "../../contract/template.ts";
import { buildPartRequests } from "../../templates/apply-template.ts";

/** The input that the program needs to split a story. */
export const splitSchema = z.object({
  story: z.string(),
  agent: z.string(),
  /** For the worker that proposes the parts. */
  guidance: z.string().default(""),
  /** Background that the person gave; every worker gets it. */
  context: z.string().default(""),
  maxParts: z.int().min(1),
});

export type Split = z.infer<typeof splitSchema>;

/** Where the worker that plans writes its list; the last turn of the story removes it. */
const FILE = "ambit-split.json";

/** The worker that proposes the parts and does none of the work. Its file is not a criterion: it is removed at the end. */
export function buildPlanner({ story, agent, guidance, context, maxParts }: Split): DelegationRequest {
  return {
    description: `Propose parts of: ${story.slice(0, MAX_TITLE)}`,
    agent,
    context: [
      `Do none of the work. Look at the project and write the file ${FILE}: how to divide this work between at most ${maxParts} workers who work at the same time.`,
      `The work: ${story}`,
      ...[context, guidance].filter((text) => text !== ""),
      `Form: {"parts": [{"name": "api", "description": "what to do, in one sentence", "scope": ["src/api/**"], "accept": ["a condition that the work must meet"], "after": ["names of parts it waits for"]}]}`,
    ].join("\n\n"),
  };
}

/** A description may have 500 characters. */
const MAX_TITLE = 400;

export interface Proposal {
  readonly tasks: readonly DelegationRequest[];
  /** Why the proposal is not used, and one worker does all of it. */
  readonly problem: string | undefined;
}

/** The proposed parts, validated as those of a template are. */
export function readProposal(split: Split): Proposal {
  const text = readRegularText(FILE);
  if (text === undefined) return refuse(split, `no ${FILE} was written`);
  const listed = z.looseObject({ parts: z.unknown() }).safeParse(parseJson(text));
  const parts = listed.success ? listed.data.parts : undefined;
  const read = templateSchema.safeParse({ title: "Split", summary: "Proposed by a worker", parts });
  if (!read.success) {
    const [issue] = read.error.issues;
    return refuse(split, `${FILE} is not usable: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
  }
  const { length } = read.data.parts;
  if (length === 0) return refuse(split, `${FILE} names no parts`);
  if (length > split.maxParts)
    return refuse(split, `${length} parts were proposed and at most ${split.maxParts} are wanted`);
  // Its parts are done by the story's agent: a worker does not choose who works next.
  const own = read.data.parts.map((part) => ({ ...part, agent: split.agent }));
  const requests = buildPartRequests(
    { ...read.data, parts: own },
    { story: split.story, agent: split.agent },
  );
  const tasks = requests.map((request) => addContext(request, split));
  return { tasks, problem: undefined };
}

export function removeProposal(): void {
  rmSync(FILE, { force: true });
}

function refuse(split: Split, problem: string): Proposal {
  const whole = { description: split.story.slice(0, MAX_TITLE), agent: split.agent };
  return { tasks: [addContext(whole, split)], problem };
}

function addContext(request: DelegationRequest, { story, context }: Split): DelegationRequest {
  const background = [`This is a part of: ${story}`, context, request.context ?? ""];
  return { ...request, context: background.filter((text) => text !== "").join("\n\n") };
}
