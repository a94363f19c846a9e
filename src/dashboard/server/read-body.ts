import { dashboardErrors } from "../../errors/dashboard.ts";

const MAX_BYTES = 64 * 1024;

/** The JSON of a request. Only a page of ours can send this content type; the size is limited. */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";", 1)[0]?.trim().toLowerCase() !== "application/json")
    throw dashboardErrors.wrongBodyType(type);
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw dashboardErrors.bodyNotJson(error);
  }
}

/** Counts bytes while it reads: the length a request claims is not trusted. */
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
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw dashboardErrors.bodyTooLarge(MAX_BYTES);
    }
    parts.push(value);
  }
}
