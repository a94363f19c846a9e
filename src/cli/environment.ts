/** Environment variables as data: `process.env` in the program, a plain object in tests. */
export type Environment = Readonly<Record<string, string | undefined>>;
