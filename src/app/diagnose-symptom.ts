import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import { findProjectRoot } from "../project/find-project.ts";
import { usageError } from "../errors/usage.ts";
import type { AppContext } from "./project/app-context.ts";
import { findDriver } from "./project/find-driver.ts";
import { looks, type Sighting } from "./doctor/look-for-symptom.ts";
import { readStore } from "./project/open-project.ts";
import { findSymptom, symptomNames } from "./symptoms.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    symptom: z.string(),
    title: z.string(),
    found: z.array(z.looseObject({ id: z.string().nullable(), what: z.string() })),
    causes: z.array(z.string()),
    steps: z.array(z.looseObject({ text: z.string(), command: z.string().nullable() })),
  });

export type Diagnosis = z.output<ReturnType<typeof output>>;

/** Finds signs of a symptom in this project, its possible causes, and the steps against it (R128). */
export const diagnoseSymptomUseCase = defineUseCase({
  input: () => z.strictObject({ symptom: z.string() }),
  output,
  isReadOnly: true,
  run: async (context, { symptom: name }) => {
    const symptom = findSymptom(name);
    if (symptom === undefined)
      throw usageError(
        `there is no symptom "${quoteExcerpt(name)}"`,
        `There are: ${symptomNames.join(", ")}. See them all: ambit help troubleshooting.`,
      );
    const sightings = await lookHere(context, name);
    return {
      symptom: symptom.name,
      title: symptom.title,
      found: sightings.map(({ id, what }) => ({ id, what })),
      causes: [...symptom.causes],
      steps: symptom.steps.map(({ text, command }) => ({ text, command: command ?? null })),
    };
  },
});

async function lookHere(context: AppContext, name: string): Promise<readonly Sighting[]> {
  const look = looks.get(name);
  if (look === undefined || findProjectRoot(context.directory) === undefined) return [];
  return readStore(context, async (reader) => {
    if (reader === undefined) return [];
    const isSupervised = findDriver(context) !== undefined;
    return look({ context, reader, isSupervised, nowMs: systemClock.wallMs() });
  });
}
