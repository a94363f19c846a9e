import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";
import type { Store } from "../../src/journal/store.ts";
import { Notifier, type NotifierOptions } from "../../src/supervisor/watchers/notifier.ts";
import { ask, filledRepository, openWork } from "../cli/commands/filled-repository.ts";
import { temporaryFolder } from "../cli/temporary-folder.ts";
import { until } from "../e2e/project.ts";
import { end, spend, start } from "../reports/fill-store.ts";

interface Setup {
  readonly user?: string;
  readonly project?: string;
  readonly more?: Partial<NotifierOptions>;
}

/** Runs the events of a story past a notifier; answers what its command got, and what was logged. */
async function notices(
  work: (store: Store) => Promise<void>,
  setup: (heard: string) => Setup,
): Promise<{ readonly heard: readonly Record<string, unknown>[]; readonly log: readonly string[] }> {
  const folder = temporaryFolder();
  const file = join(folder, "heard");
  const { user, project, more = {} } = setup(`cat >> ${file}`);
  const log: string[] = [];
  const quote = (command: string): string => `notify:\n  command: ${JSON.stringify(command)}\n`;
  const home = temporaryFolder(user === undefined ? {} : { ".config/ambit/config.yaml": quote(user) });
  const files = project === undefined ? {} : { "ambit.yaml": quote(project) };
  const environment = { HOME: home, PATH: process.env["PATH"] };
  const root = temporaryFolder(files);
  await filledRepository(async (store) => {
    const place = { projectRoot: root, environment, reader: store };
    const notifier = new Notifier({ ...place, log: (line) => log.push(line), ...more });
    const stop = store.onEvent((event) => notifier.onEvent(event));
    await work(store);
    stop();
    await notifier.close();
  });
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return { heard: lines.map((line) => JSON.parse(line)), log };
}

async function eventful(store: Store): Promise<void> {
  await openWork(store, "S-1", { budgetMicroUsd: 1_000_000, limits: defaultLimits });
  const { id } = await start(store, "S-1", { description: "Write ids" });
  await ask(store, id, { kind: "clarification", question: "uuid or\nbigint?" });
  const data = { code: "STALLED", message: "nothing for 600 s" };
  await store.record({ type: "limit-warned", story: "S-1", delegation: id, attempt: 1, data });
  await spend(store, "S-1", { in: 1, out: 1, usd: 0.79 });
  await spend(store, "S-1", { in: 1, out: 1, usd: 0.02 });
  await spend(store, "S-1", { in: 1, out: 1, usd: 0.01 });
  await end(store, id, { outcome: "cancelled", summary: "Stopped.", filesChanged: [] });
  await end(store, "S-1", { outcome: "partial", code: "X", summary: "Half of it.", filesChanged: [] });
}

describe("notify.command", () => {
  it("runs once for each question, stall, budget warning and end, with JSON on its input", async () => {
    const { heard, log } = await notices(eventful, (command) => ({ user: command }));
    expect(log).toStrictEqual([]);
    expect(heard.map(({ event, delegation, text }) => [event, delegation, text])).toStrictEqual([
      ["asked", "S-1-DEL-001", "S-1-DEL-001 asks: uuid or bigint?"],
      ["stalled", "S-1-DEL-001", "S-1-DEL-001 is silent: nothing for 600 s"],
      ["budget", "S-1", expect.stringMatching(/^S-1 has spent \$0\.8\d of \$1\.00$/)],
      ["ended", "S-1", "S-1 ended: partial (X). Half of it."],
    ]);
    expect(heard[0]).toMatchObject({
      schema: "ambit/notice/v1",
      answer_with: ['ambit reply S-1-DEL-001-clarification-1 "…"'],
    });
    expect(heard.at(-1)).toMatchObject({ outcome: "partial", cost_usd: 0.82 });
  });

  it("does not run from the project's own file before the project is trusted", async () => {
    const { heard, log } = await notices(eventful, (command) => ({ project: command }));
    expect(heard).toStrictEqual([]);
    expect(log).toContain("notify.command of ambit.yaml did not run: the project is not trusted");
  });

  it("would run from the project's own file without that check (control)", async () => {
    const { heard } = await notices(eventful, (command) => ({ project: command, more: { trustsAll: true } }));
    expect(heard).toHaveLength(4);
  });

  it("is logged with its exit code if it cannot be found", async () => {
    const { log } = await notices(eventful, () => ({ user: "no-such-program-here" }));
    expect(log).toStrictEqual(Array.from({ length: 4 }, () => "notify.command ended with 127"));
  });

  it("is ended when the supervisor leaves, if it hangs", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "marker"), "");
    const pids = (): readonly number[] => readdirSync(join(folder, "pids")).map(Number);
    mkdirSync(join(folder, "pids"));
    const hangs = async (store: Store): Promise<void> => {
      await eventful(store);
      await until("the command has begun", () => pids().length > 0);
    };
    await notices(hangs, () => ({ user: `touch ${folder}/pids/$$; exec tail -f ${folder}/marker` }));
    // The notifier has closed although nothing ended by itself, and nothing of it is left.
    await until("its processes are gone", () => pids().every((pid) => !existsSync(`/proc/${pid}`)));
  });
});
