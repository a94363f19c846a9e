/** Seconds that a command's agent gets by default, and its maximum (R70, R71). */
interface CommandTime {
  readonly usual: number;
  readonly most: number;
}

const commandTimes: Readonly<Record<string, CommandTime>> = {
  research: { usual: 3600, most: 7200 },
  plan: { usual: 1800, most: 3600 },
  implement: { usual: 7200, most: 14_400 },
  revise: { usual: 1800, most: 3600 },
  review: { usual: 3600, most: 7200 },
  todo: { usual: 300, most: 1800 },
  errors: { usual: 300, most: 1800 },
  meta: { usual: 1800, most: 3600 },
};

/** For unknown commands (R72). */
const OTHERWISE: CommandTime = { usual: 1800, most: 14_400 };

export interface TimeoutWishes {
  readonly command: string;
  /** A flag, or a field of the request. */
  readonly explicit?: number | undefined;
  /** The story's own limit. */
  readonly story?: number | undefined;
  /** `timeout:` of the command's definition. */
  readonly definition?: number | undefined;
}

export interface CommandTimeout {
  readonly seconds: number;
  /** Where the number comes from, in words. */
  readonly origin: string;
  /** The requested time was above the command's maximum. */
  readonly isCut: boolean;
}

/**
 * Takes the explicit time, then the story's, then the command's own, then 1800 s; never more than the command's
 * maximum (C35).
 */
export function chooseCommandTimeout({
  command,
  explicit,
  story,
  definition,
}: TimeoutWishes): CommandTimeout {
  const { usual, most } = findCommandTime(command);
  const wished = [
    { seconds: explicit, origin: "asked for" },
    { seconds: story, origin: "the story's limit" },
    { seconds: definition, origin: `the definition of ${command}` },
  ].find(({ seconds }) => seconds !== undefined);
  const seconds = wished?.seconds ?? usual;
  if (seconds > most) return { seconds: most, origin: `the most ${command} may have`, isCut: true };
  return { seconds, origin: wished?.origin ?? `usual for ${command}`, isCut: false };
}

function findCommandTime(command: string): CommandTime {
  return Object.entries(commandTimes).find(([name]) => name === command)?.[1] ?? OTHERWISE;
}
