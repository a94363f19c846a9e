/** Steps of the built-in worker, so that scripts in tests read like sentences. */

export const write = (path: string, text: string) => ({ write: { path, text } });

const run = (...words: string[]) => ({ run: words });

export const shell = (line: string) => run("sh", "-c", line);

export const say = (text: string) => ({ say: text });

export const spend = (usd: number, tokens = 10) => ({ spend: { input: tokens, output: 0, usd } });

export const hang = (how: "quiet" | "talking" | "deaf" = "quiet") => ({ hang: how });

export const directive = (description: string, hours = 2) => ({ delegate: [{ description, hours }] });

/** Hands out parts over the socket, as an agent's shell would; 0 asks for a ticket at once. */
export const delegate = (tasks: readonly object[], waitSeconds = 0) =>
  run("ambit", "delegate", "--tasks", JSON.stringify(tasks), "--wait", String(waitSeconds));

export const ask = (question: string, waitSeconds = 0) =>
  run("ambit", "ask", question, "--wait", String(waitSeconds));

export const returns = (status: string, summary: string, more: object = {}) => ({
  return: { status, summary, ...more },
});

export const done = (summary = "Did it. All of it.") => returns("completed", summary);

/** Waits until a file is there: how a test lets a worker go on. */
export const waitFor = (file: string) => shell(`until [ -e '${file}' ]; do sleep 0.02; done`);

/** What a return that is not `completed` must say. */
export const because = (message: string, recoverable = false) => ({
  errors: [{ type: "execution", message, recoverable, recommendation: "Look into it." }],
});

/** Goes on when this many workers have come so far. */
export const together = (signal: string, count: number) =>
  shell(`echo x >> '${signal}'; until [ $(wc -l < '${signal}') -ge ${count} ]; do sleep 0.02; done`);
