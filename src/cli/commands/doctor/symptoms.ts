import { courseSymptoms } from "./symptoms/course.ts";
import { outcomeSymptoms } from "./symptoms/outcome.ts";
import type { Symptom } from "./symptom.ts";

/** In the order in which people meet them. */
export const symptoms: readonly Symptom[] = [...courseSymptoms, ...outcomeSymptoms];

export const symptomNames: readonly string[] = symptoms.map(({ name }) => name);

export function findSymptom(name: string): Symptom | undefined {
  return symptoms.find((symptom) => symptom.name === name);
}
