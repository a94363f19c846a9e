import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { pathExists } from "../../base/files.ts";
import type { JournalEvent, JournalEventType } from "../../contract/journal-event.ts";
import { findStorySetting } from "../../contract/story-setting.ts";
import type { RunTools } from "../../orchestrator/create-run-tools.ts";

const levels = ["debug", "info", "warn", "error"] as const;

type Level = (typeof levels)[number];

interface Wishes {
  readonly level: Level;
  readonly isDetailed: boolean;
}

const MAX_DATA_LENGTH = 4000;
const PAGE = 500;

/**
 * Writes the events of stories into the supervisor's log, as far as each story's `delegation.logging.level` asks for it,
 * and archives the files of workers if a story has `delegation.logging.detailedLogs` (R89, R111).
 */
export class StoryLog {
  readonly #tools: Pick<RunTools, "stateDirectory" | "store">;
  readonly #log: (line: string) => void;
  readonly #wishes = new Map<string, Promise<Wishes>>();
  #last: Promise<void> = Promise.resolve();

  constructor(tools: Pick<RunTools, "stateDirectory" | "store">, log: (line: string) => void) {
    this.#tools = tools;
    this.#log = log;
  }

  onEvent(event: JournalEvent): void {
    this.#last = this.#last
      .then(() => this.#tell(event))
      .catch((error: unknown) =>
        this.#log(`The log of ${event.story} is incomplete: ${readErrorMessage(error)}`),
      );
  }

  /** Resolves when everything seen so far is written. */
  idle(): Promise<void> {
    return this.#last;
  }

  async #tell(event: JournalEvent): Promise<void> {
    const { type, story, delegation } = event;
    const { level, isDetailed } = await this.#findWishes(story);
    if (levels.indexOf(rankEvent(event)) >= levels.indexOf(level)) this.#log(describeEvent(event, level));
    if (type !== "delegation-closed" || delegation === null) return;
    if (isDetailed) await this.#archive(delegation);
    if (delegation === story) this.#wishes.delete(story);
  }

  #findWishes(story: string): Promise<Wishes> {
    const known = this.#wishes.get(story) ?? this.#readWishes(story);
    this.#wishes.set(story, known);
    return known;
  }

  async #readWishes(id: string): Promise<Wishes> {
    const settings = (await this.#tools.store.story(id))?.settings;
    const wanted = findStorySetting(settings, "delegation.logging.level")?.value;
    return {
      level: levels.find((level) => level === wanted) ?? "info",
      isDetailed: findStorySetting(settings, "delegation.logging.detailedLogs")?.value === true,
    };
  }

  /** Archives logs, prompts and returns of all attempts, and the events; whole or not at all. */
  async #archive(id: string): Promise<void> {
    const { stateDirectory } = this.#tools;
    const archives = join(stateDirectory, "delegation-archives");
    const [folder, half] = [join(archives, id), join(archives, `${id}.half`)];
    await mkdir(half, { recursive: true, mode: 0o700 });
    const logs = join(stateDirectory, "logs", id);
    if (pathExists(logs)) await cp(logs, half, { recursive: true, verbatimSymlinks: true });
    await writeFile(join(half, "events.jsonl"), await this.#listEvents(id), { mode: 0o600 });
    await rm(folder, { recursive: true, force: true });
    await rename(half, folder);
  }

  async #listEvents(id: string): Promise<string> {
    const lines: string[] = [];
    for (let after = 0; ;) {
      const page = await this.#tools.store.eventsAfter(after, PAGE, { delegation: id });
      lines.push(...page.events.map(({ body }) => `${body}\n`));
      if (page.events.length < PAGE) return lines.join("");
      after = page.cursor;
    }
  }
}

const plainEvents: ReadonlySet<JournalEventType> = new Set([
  "story-opened",
  "delegation-admitted",
  "attempt-started",
]);
const alarmingEvents: ReadonlySet<JournalEventType> = new Set([
  "delegation-refused",
  "attempt-lost",
  "limit-warned",
  "merge-refused",
]);

function rankEvent(event: JournalEvent): Level {
  if (event.type === "delegation-closed") return event.data.outcome === "completed" ? "info" : "warn";
  if (alarmingEvents.has(event.type)) return "warn";
  return plainEvents.has(event.type) ? "info" : "debug";
}

function describeEvent(event: JournalEvent, level: Level): string {
  const subject = `${event.type} ${event.delegation ?? event.story}`;
  if (level === "debug") return `${subject} ${JSON.stringify(event.data).slice(0, MAX_DATA_LENGTH)}`;
  if (event.type !== "delegation-closed") return subject;
  const { outcome, code } = event.data;
  return code === null ? `${subject} ${outcome}` : `${subject} ${outcome} ${code}`;
}
