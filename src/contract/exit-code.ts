/** One table for every command; documented by `ambit help exit-codes`. */
export const exitCode = {
  completed: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  blocked: 4,
  limit: 5,
  environment: 6,
  conflict: 7,
  deadline: 124,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export const exitCodeMeanings: Readonly<Record<keyof typeof exitCode, string>> = {
  completed: "completed and accepted",
  failed: "failed, or a check did not pass",
  usage: "usage or configuration error; nothing started",
  partial: "partial: some work is usable and can be resumed",
  blocked: "blocked: needs an answer, an approval or a login",
  limit: "a limit refused or stopped it",
  environment: "the environment is not ready",
  conflict: "a merge conflict is left for you; nothing is half-merged",
  deadline: "the deadline passed",
  interrupted: "interrupted, or detached while agents keep working",
  terminated: "terminated",
};
