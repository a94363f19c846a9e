import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readRegularText, writeFileAtomically } from "../../base/files.ts";

const MAX_ENTRIES = 500;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

const entrySchema = z.strictObject({
  atMs: z.number(),
  verdict: z.enum(["passed", "failed"]),
  evidence: z.string(),
  failing: z.array(z.string()),
  hints: z.array(z.string()).readonly().optional(),
});

/** The finding of a check on a tree. */
export type BaseFinding = Readonly<Omit<z.infer<typeof entrySchema>, "atMs">>;

/**
 * Everything that decides the result of a check, besides the machine: files, command, and how a checkout is prepared.
 */
export interface BaseKey {
  readonly tree: string;
  readonly check: string;
  readonly recipe: string;
}

/** Keeps results for a day: services and programs of the machine change, too. */
export class BaseCache {
  readonly #folder: string;
  readonly #nowMs: () => number;

  constructor(stateDirectory: string, nowMs: () => number) {
    this.#folder = join(stateDirectory, "base-checks");
    this.#nowMs = nowMs;
  }

  read(key: BaseKey): BaseFinding | undefined {
    const text = readRegularText(this.#path(key));
    const entry = text === undefined ? undefined : parseEntry(text);
    if (entry === undefined || this.#nowMs() - entry.atMs > MAX_AGE_MS) return undefined;
    const { atMs: _at, ...finding } = entry;
    return finding;
  }

  write(key: BaseKey, finding: BaseFinding): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (readdirSync(this.#folder).length >= MAX_ENTRIES)
      rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileAtomically(this.#path(key), JSON.stringify({ atMs: this.#nowMs(), ...finding }));
  }

  #path({ tree, check, recipe }: BaseKey): string {
    const name = createHash("sha256").update([tree, check, recipe].join("\0")).digest("hex");
    return join(this.#folder, `${name}.json`);
  }
}

function parseEntry(text: string): z.infer<typeof entrySchema> | undefined {
  try {
    const parsed = entrySchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // The file was half written by another program: the check runs again.
    return undefined;
  }
}
