import type { Action, ActionResult, Failure, Problem } from "../../../app/view-types.ts";

/** Why the server refused, or why it could not be reached. */
export class CallFailed extends Error {
  readonly problem: Problem;
  readonly status: number;

  constructor(problem: Problem, status: number) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

/** The fields an answer must have. Server and page have the same version, so this check is enough. */
type Fields<Answer> = readonly (keyof Answer & string)[];

interface Question<Answer> {
  readonly url: string;
  readonly fields: Fields<Answer>;
  readonly signal?: AbortSignal;
}

export async function ask<Answer>({ url, fields, signal }: Question<Answer>): Promise<Answer> {
  const response = await reach(url, signal === undefined ? {} : { signal });
  return readAnswer(response, fields);
}

/** Performs an action; the server makes the same calls as the matching command. */
export async function act(action: Action): Promise<ActionResult> {
  const response = await reach("/api/actions", post(action));
  return readAnswer<ActionResult>(response, ["kind", "message"]);
}

/** Exchanges the token of the printed address for a cookie that no script can read. */
export async function openSession(token: string): Promise<void> {
  const response = await reach("/api/session", post({ token }));
  if (!response.ok) throw await readFailure(response);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof CallFailed) return error.problem;
  return {
    code: "PAGE_BROKEN",
    message: error instanceof Error ? error.message : String(error),
    recommendation: "Reload the page.",
  };
}

function post(body: object): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new CallFailed(
      {
        code: "SERVER_UNREACHABLE",
        message: "The dashboard's server does not answer.",
        recommendation: "Is ambit dashboard still running? Start it again and open the link it prints.",
      },
      0,
    );
  }
}

async function readAnswer<Answer>(response: Response, fields: Fields<Answer>): Promise<Answer> {
  if (!response.ok) throw await readFailure(response);
  const body: unknown = await response.json().catch(() => undefined);
  if (hasFields<Answer>(body, fields)) return body;
  throw new CallFailed(
    {
      code: "ANSWER_UNKNOWN",
      message: `The server's answer to ${new URL(response.url).pathname} is not what this page expects.`,
      recommendation: "Reload the page: the server may have been updated.",
    },
    response.status,
  );
}

async function readFailure(response: Response): Promise<CallFailed> {
  const body: unknown = await response.json().catch(() => undefined);
  const isTold = hasFields<Failure>(body, ["error"]) && hasFields<Problem>(body.error, ["code", "message"]);
  return new CallFailed(
    isTold
      ? body.error
      : {
          code: `HTTP_${response.status}`,
          message: `The server answered ${response.status}.`,
          recommendation: "Try again, or look at the output of ambit dashboard.",
        },
    response.status,
  );
}

export function hasFields<Answer>(value: unknown, fields: Fields<Answer>): value is Answer {
  return typeof value === "object" && value !== null && fields.every((field) => field in value);
}
