import { courseSymptoms } from "./doctor/course-symptoms.ts";
import { outcomeSymptoms } from "./doctor/outcome-symptoms.ts";
import type { Symptom } from "./doctor/symptom.ts";

export type { Symptom } from "./doctor/symptom.ts";

/** In the order in which people meet them. */
export const symptoms: readonly Symptom[] = [...courseSymptoms, ...outcomeSymptoms];

export const symptomNames: readonly string[] = symptoms.map(({ name }) => name);

export function findSymptom(name: string): Symptom | undefined {
  return symptoms.find((symptom) => symptom.name === name);
}
