import { learnValues } from "./scan/find-secrets.ts";

/**
 * Remembers the values of an environment whose names say that they are secret, for as long as this process runs. They
 * are then redacted literally, in whatever text and encoding they turn up. Catches formats that no rule knows.
 */
export function learnSecrets(environment: Readonly<Record<string, string | undefined>>): void {
  learnValues(environment);
}
