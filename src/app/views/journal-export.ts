import type { EventFilter, StoreReader } from "../../journal/store.ts";

export interface ExportQuestion {
  readonly story: string | undefined;
  readonly type: string | undefined;
}

const PAGE = 500;

/** Events as they were hashed, each with its hash, one JSON object per line; read as they are taken. */
export function exportJournal(
  reader: StoreReader | undefined,
  { story, type }: ExportQuestion,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const filter: EventFilter = story === undefined ? {} : { story };
  const marked = type === undefined ? undefined : `"type":${JSON.stringify(type)}`;
  let cursor = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const page = await reader?.eventsAfter(cursor, PAGE, filter);
          if (page === undefined || page.events.length === 0) return controller.close();
          cursor = page.cursor;
          // The type comes before any text that others could have written.
          const wanted = page.events.filter(
            ({ body }) => marked === undefined || body.slice(0, HEAD_LENGTH).includes(marked),
          );
          const lines = wanted.map(({ body, hash }) => `${body.slice(0, -1)},"hash":"${hash}"}\n`);
          if (lines.length > 0) return controller.enqueue(encoder.encode(lines.join("")));
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** `{"seq":…,"at":"…","type":"…"` */
const HEAD_LENGTH = 120;
