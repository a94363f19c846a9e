import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Signs in with the token of a link and gives the cookie. */
export async function signInTo({
  port,
  origin,
  token,
}: {
  readonly port: number;
  readonly origin: string;
  readonly token: string;
}): Promise<string> {
  const headers = { origin, "content-type": "application/json" };
  const answer = await sendTo(port, "/api/session", {
    method: "POST",
    headers,
    body: JSON.stringify({ token }),
  });
  return (answer.headers["set-cookie"]?.[0] ?? "").split(";", 1)[0] ?? "";
}

/** Node's own client, because a browser's would not send a false Host or Origin. */
export async function sendTo(
  port: number,
  path: string,
  { method = "GET", headers, body }: Ask,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const host = `127.0.0.1:${port}`;
    const options = { host: "127.0.0.1", port, path, method, headers: { host, ...headers }, agent: false };
    const outgoing = request(options, (incoming) => {
      const { statusCode = 0, headers: received } = incoming;
      text(incoming).then((whole) => resolve({ status: statusCode, headers: received, body: whole }), reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
