import { homedir } from "node:os";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { runCommand } from "../../base/run-command.ts";
import { resolveConfig } from "../../config/load-config.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import type { StoreReader } from "../../journal/store.ts";
import { checkTrust, isTrustedByVariable } from "../../trust/check-trust.ts";
import { buildBudgetNotice, buildNotice, isNearBudget, type Notice, type NoticeSubject } from "./notice.ts";

export interface NotifierOptions {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reader: Pick<StoreReader, "delegation" | "story">;
  readonly log: (line: string) => void;
  /** Runs a project's own command without asking whether it is trusted; tests use it to remove that defence. */
  readonly trustsAll?: boolean;
}

const MAX_RUN_MS = 10_000;
const MAX_WAITING = 50;
const CLOSE_MS = 5000;

/**
 * Runs `notify.command` for events that a person wants to hear of, one call at a time. It never delays the work; a notice
 * that it cannot deliver is written to the log. A command that comes with the project runs only while the project is
 * trusted.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #stop = new AbortController();
  #last: Promise<void> = Promise.resolve();
  /** Delegations whose budget is being checked, or was announced. */
  readonly #budgets = new Set<string>();
  #waiting = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  onEvent(event: JournalEvent): void {
    const { type, story, delegation } = event;
    if (type === "usage-reported" || type === "delegation-closed")
      for (const id of new Set([delegation ?? story, story])) this.#watchBudget(id);
    if (!telling.has(type)) return;
    if (this.#waiting < MAX_WAITING) return this.#enqueue(() => this.#describe(event));
    this.#options.log(`notify.command did not run for ${type} of ${story}: too many calls wait`);
  }

  /** At most one check at a time for each delegation, because usage is reported often. */
  #watchBudget(id: string): void {
    if (this.#budgets.has(id)) return;
    this.#budgets.add(id);
    this.#enqueue(async () => {
      const subject = await this.#findSubject(id);
      const isNear = subject !== undefined && isNearBudget(subject.delegation);
      if (!isNear) this.#budgets.delete(id);
      return isNear ? buildBudgetNotice(subject) : undefined;
    });
  }

  #enqueue(describe: () => Promise<Notice | undefined>): void {
    this.#waiting += 1;
    this.#last = this.#last
      .then(async () => this.#tell(await describe()))
      .catch((error: unknown) => this.#options.log(`notify.command: ${readErrorMessage(error)}`))
      .finally(() => (this.#waiting -= 1));
  }

  /** Gives running commands a few seconds to end. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), CLOSE_MS);
    await this.#last;
    clearTimeout(timer);
  }

  async #tell(notice: Notice | undefined): Promise<void> {
    const command = notice === undefined || this.#stop.signal.aborted ? null : await this.#findCommand();
    if (notice === undefined || command === null) return;
    const { exitCode, timedOut } = await runCommand({
      argv: ["/bin/sh", "-c", command],
      cwd: this.#options.projectRoot,
      environment: dropMissing(this.#options.environment),
      stdin: `${JSON.stringify(notice)}\n`,
      timeoutMs: MAX_RUN_MS,
      maxOutputBytes: 4096,
      abort: this.#stop.signal,
    });
    if (timedOut) this.#options.log(`notify.command took longer than ${MAX_RUN_MS / 1000} s`);
    else if (exitCode !== 0) this.#options.log(`notify.command ended with ${exitCode ?? "a signal"}`);
  }

  async #describe(event: JournalEvent): Promise<Notice | undefined> {
    const subject = await this.#findSubject(event.delegation ?? event.story);
    return subject === undefined ? undefined : buildNotice(event, subject);
  }

  async #findSubject(id: string): Promise<NoticeSubject | undefined> {
    const { reader, projectRoot: project } = this.#options;
    const delegation = await reader.delegation(id);
    const story = delegation === undefined ? undefined : await reader.story(delegation.story);
    return delegation === undefined || story === undefined ? undefined : { project, story, delegation };
  }

  /** Read each time, so that an edited file takes effect and a changed project is not trusted any more. */
  async #findCommand(): Promise<string | null> {
    const { projectRoot, environment, log, trustsAll = false } = this.#options;
    const place = { projectRoot, environment, homeDirectory: environment["HOME"] ?? homedir() };
    const result = await resolveConfig(place);
    if (!result.ok) return null;
    const { values, entries } = result.config;
    const isOwn = entries.find(({ key }) => key === "notify.command")?.origin.layer !== "project";
    if (isOwn || trustsAll || values.notify.command === null) return values.notify.command;
    const { state, items } = await checkTrust(place);
    if (state === "trusted" || isTrustedByVariable(place, items)) return values.notify.command;
    log("notify.command of ambit.yaml did not run: the project is not trusted");
    return null;
  }
}

const telling: ReadonlySet<JournalEvent["type"]> = new Set([
  "approval-requested",
  "limit-warned",
  "delegation-closed",
]);

function dropMissing(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
