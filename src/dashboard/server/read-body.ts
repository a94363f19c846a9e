import { DelegationError } from "../../base/delegation-error.ts";

const MOST_BYTES = 64 * 1024;

/** The JSON of a request: of the type that needs a page of our own, and not more than anybody would type. */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json") throw wrongType(type);
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DelegationError({
      code: "USAGE",
      message: "The body is not JSON.",
      recommendation: "Send one JSON object.",
      cause: error,
    });
  }
}

/** Counts while it reads: what a request says about its own length is not trusted. */
async function readText(request: Request): Promise<string> {
  if (request.body === null) return "";
  const body: ReadableStream<Uint8Array> = request.body;
  const reader = body.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(parts).toString("utf8");
    bytes += value.byteLength;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    parts.push(value);
  }
}

function tooLarge(): DelegationError {
  return new DelegationError({
    code: "BODY_TOO_LARGE",
    message: `The body has more than ${MOST_BYTES} bytes.`,
    recommendation: "Say it shorter.",
  });
}

function wrongType(type: string): DelegationError {
  return new DelegationError({
    code: "BODY_TYPE_REFUSED",
    message: `The body is ${type === "" ? "of no type" : type}, not application/json.`,
    recommendation: "Use the dashboard's own page.",
  });
}
