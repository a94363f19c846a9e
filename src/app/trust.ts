import * as z from "zod";
import { projectErrors } from "../errors/project.ts";
import { hideSecrets } from "../trust/find-items.ts";
import {
  checkTrust,
  recordTrust,
  revokeTrust,
  type TrustCheck,
  type TrustPlace,
} from "../trust/check-trust.ts";
import type { AppContext } from "./project/app-context.ts";
import { findTrustPlace, requireSame, requireTrust, summarizeLines } from "./project/require-trust.ts";
import { requireTrustOfOpenWork } from "./project/connect-supervisor.ts";
import { defineUseCase } from "./use-case.ts";

export { requireTrust, requireTrustOfOpenWork, summarizeLines };

const itemSchema = () =>
  z.looseObject({
    file: z.string().describe("Relative to the project"),
    field: z.string().nullable().describe("Null for a whole file"),
    summary: z.string().describe("The text on one line, what is started first"),
    text: z.string().describe("Without credentials; the beginning of a long one"),
    hash: z.string().describe("SHA-256 of the whole content"),
  });

const changeSchema = () =>
  z.looseObject({
    file: z.string(),
    field: z.string().nullable(),
    change: z.enum(["added", "changed", "removed"]),
    lines: z.array(z.looseObject({ sign: z.enum(["+", "-"]), text: z.string() })),
  });

const output = () =>
  z.looseObject({
    project: z.string(),
    state: z
      .enum(["nothing-named", "trusted", "unknown", "changed"])
      .describe("unknown: never decided; changed: something differs from what was trusted"),
    trusted: z.boolean().describe("Whether commands may run what the project names"),
    trusted_at: z.string().nullable().describe("When the person decided"),
    hash: z.string().describe("Of all items together"),
    items: z.array(itemSchema()),
    changes: z.array(changeSchema()).describe("The items that were not trusted in their present form"),
  });

export type TrustAnswer = z.output<ReturnType<typeof output>>;

const prdInput = () => ({
  prd: z.string().optional().describe("A PRD file of the project, whose criteria count too"),
});

/** Lists what the project would run, and whether the person trusts it. */
export const showTrustUseCase = defineUseCase({
  input: () => z.strictObject(prdInput()),
  output,
  isReadOnly: true,
  run: async (context, { prd }) => {
    const place = requirePlace(context, prd);
    return describeTrust(place, await checkTrust(place));
  },
});

/** Remembers that the person trusts the project as it is now. */
export const acceptTrustUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      hash: z.string().describe("Of what the person was shown; anything else is refused"),
      ...prdInput(),
    }),
  output,
  onlyPeople: "never trusts a project",
  run: async (context, { prd, ...shown }) => {
    const place = requirePlace(context, prd);
    await recordTrust(place, await requireSame(place, shown));
    return describeTrust(place, await checkTrust(place));
  },
});

/** Forgets the decision; the next command that would run something asks again. */
export const revokeTrustUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ project: z.string(), revoked: z.boolean() }),
  onlyPeople: "never changes what is trusted",
  run: async (context) => {
    const place = requirePlace(context);
    return { project: place.projectRoot, revoked: await revokeTrust(place) };
  },
});

function requirePlace(context: AppContext, prd?: string): TrustPlace {
  const place = findTrustPlace(context, prd);
  if (place === undefined) throw projectErrors.notARepository(context.directory);
  return place;
}

/** The same words in answers and in the question of a terminal. */
export function describeTrust(
  { projectRoot }: Pick<TrustPlace, "projectRoot">,
  check: TrustCheck,
): TrustAnswer {
  const { state, hash, items, changes, trustedAt } = check;
  return {
    project: projectRoot,
    state,
    trusted: state === "trusted" || state === "nothing-named",
    trusted_at: trustedAt,
    hash,
    items: items.map(({ file, field, text, hash: own }) => {
      const shown = hideSecrets(text);
      return { file, field, summary: summarizeLines(shown.split("\n")), text: shown, hash: own };
    }),
    changes: changes.map(({ file, field, change, lines }) => ({
      file,
      field,
      change,
      lines: lines.map(({ sign, text }) => ({ sign, text })),
    })),
  };
}
