import { request, type IncomingMessage } from "node:http";
import type { StreamBatch } from "../../src/app/view-types.ts";

export interface StreamPlace {
  readonly port: number;
  readonly cookie: string;
  /** `?run=…&after=…` */
  readonly query?: string;
  /** The header that a browser sends when it reconnects. */
  readonly lastEventId?: string;
}

export interface Listening {
  readonly batches: StreamBatch[];
  /** Every event's number, in the order it came. */
  readonly numbers: () => readonly number[];
  /** What a browser would send as Last-Event-ID. */
  readonly lastId: () => string;
  readonly names: string[];
  /** Stops reading, as a browser with a busy page does. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => void;
  readonly ended: Promise<void>;
}

/** Listens to server-sent events as a browser does. */
export async function listenTo({ port, cookie, query = "", lastEventId }: StreamPlace): Promise<Listening> {
  const headers = { cookie, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      { host: "127.0.0.1", port, path: `/api/events${query}`, headers, agent: false },
      resolve,
    );
    outgoing.once("error", reject);
    outgoing.end();
  });
  if (incoming.statusCode !== 200) throw new Error(`the stream answered ${incoming.statusCode ?? 0}`);
  const batches: StreamBatch[] = [];
  const names: string[] = [];
  let lastId = "";
  let rest = "";
  incoming.setEncoding("utf8").on("data", (chunk: string) => {
    const messages = (rest + chunk).split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const fields = new Map(message.split("\n").map((line) => splitField(line)));
      lastId = fields.get("id") ?? lastId;
      names.push(fields.get("event") ?? "");
      if (fields.get("event") === "batch") batches.push(JSON.parse(fields.get("data") ?? ""));
    }
  });
  // Our own close ends the stream with this error.
  incoming.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => incoming.once("close", () => resolve()));
  return {
    batches,
    names,
    numbers: () => batches.flatMap(({ events }) => events.map(({ seq }) => seq)),
    lastId: () => lastId,
    pause: () => void incoming.pause(),
    resume: () => void incoming.resume(),
    close: () => void incoming.destroy(),
    ended,
  };
}

function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
