import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Delegation } from "../../journal/store.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { dropAgentHome } from "../running/invoke/agent-home.ts";
import { leavePlace } from "./leave-place.ts";

/**
 * The workspaces on this machine that wait for the next attempt of their delegation, because the session of its agent is
 * here. They are given up when another machine continues the delegation, when it has ended, or when this machine leaves.
 */
export class KeptPlaces {
  readonly #tools: RunTools;
  /** The newest attempt of each, after which its workspace was kept. */
  readonly #kept = new Map<string, number>();

  constructor(tools: RunTools) {
    this.#tools = tools;
  }

  list(): readonly string[] {
    return [...this.#kept.keys()];
  }

  /** Whether the session of the previous attempt is on this machine. */
  hasSession({ id, attempt }: Pick<Delegation, "attempt" | "id">): boolean {
    return this.#kept.get(id) === attempt - 1;
  }

  /** Called before an attempt begins: a workspace from which another machine has continued is too old. */
  async prepare({ id, attempt }: Delegation): Promise<void> {
    if (this.#kept.has(id) && this.#kept.get(id) !== attempt) await this.drop(id);
  }

  /** After an attempt: keeps the workspace with the session, or frees it. */
  async settle(id: string, attempt: number, mayKeep: boolean): Promise<void> {
    // This comes before the workspace is examined, so that an event that ends the delegation meanwhile is noticed.
    this.#kept.set(id, attempt);
    const now = await this.#tools.store.delegation(id);
    const isNext = now !== undefined && now.attempt === attempt && now.state !== "closed";
    if (mayKeep && isNext && now.agentSession !== null && now.workspace !== null) return;
    this.#kept.delete(id);
    await leavePlace(this.#tools, id);
    dropAgentHome(this.#tools.stateDirectory, { id });
  }

  /** Whether the workspace of the delegation is no longer needed here. */
  isOver({ type, data, delegation }: JournalEvent): boolean {
    if (delegation === null || !this.#kept.has(delegation)) return false;
    return type === "delegation-closed" || (type === "attempt-started" && data.owner !== this.#tools.owner);
  }

  /** The journal knows the workspace of the machine that continues; this one is only removed. */
  async drop(id: string): Promise<void> {
    this.#kept.delete(id);
    const delegation = await this.#tools.store.delegation(id);
    if (delegation === undefined) return;
    const place = await this.#tools.git.findPlace(delegation);
    await place?.release(false);
    dropAgentHome(this.#tools.stateDirectory, delegation);
  }

  async close(): Promise<void> {
    for (const id of this.#kept.keys()) {
      this.#kept.delete(id);
      await leavePlace(this.#tools, id).catch(() => undefined);
      dropAgentHome(this.#tools.stateDirectory, { id });
    }
  }
}
