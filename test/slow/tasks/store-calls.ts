import type { TaskOperation } from "../../../src/tasks/task.ts";
import type { TaskStore } from "../../../src/tasks/task-store.ts";
import type { Random } from "../random.ts";

/** A change of the store that can be told to another process. */
export type StoreCall =
  | { readonly kind: "create"; readonly title: string }
  | { readonly kind: "status"; readonly ids: readonly string[]; readonly status: string }
  | { readonly kind: "metadata"; readonly id: string; readonly priority: string; readonly effort: string }
  | { readonly kind: "divide"; readonly id: string; readonly titles: readonly string[] }
  | { readonly kind: "abandon" | "archive" | "recover"; readonly ids: readonly string[] }
  | { readonly kind: "sync" | "refresh" };

export function callOf(store: TaskStore, call: StoreCall): Promise<TaskOperation> {
  switch (call.kind) {
    case "create":
      return store.create({ title: call.title, effort: "1 hour", description: "As planned." });
    case "status":
      return store.updateStatus(call.ids, call.status, { continueOnError: true });
    case "metadata":
      return store.updateMetadata(call.id, { priority: call.priority, effort: call.effort });
    case "divide":
      return store.divide(call.id, { subtasks: call.titles.map((title) => ({ title })) });
    case "abandon":
      return store.abandon(call.ids, { continueOnError: true });
    case "archive":
      return store.archive("all");
    case "recover":
      return store.recover(call.ids, { continueOnError: true });
    case "sync":
      return store.sync("all");
    case "refresh":
      return store.refresh();
  }
}

/** Fields that the call sets, as `<id> <field>`: a hand edit of them from before counts no longer. */
export function fieldsSetBy(call: StoreCall): readonly string[] {
  if (call.kind === "status") return call.ids.map((id) => `${id} status`);
  if (call.kind === "metadata") return [`${call.id} priority`, `${call.id} effort`];
  if (call.kind === "divide") return [`${call.id} status`];
  if (call.kind === "abandon" || call.kind === "recover") return call.ids.map((id) => `${id} status`);
  return [];
}

const statuses = [
  "researching",
  "planning",
  "implementing",
  "blocked",
  "on_hold",
  "completed",
  "partial",
] as const;

export function pickCall(store: TaskStore, random: Random, serial: number): StoreCall {
  const active = store.list().map(({ id }) => id);
  const archived = store.list({ place: "archived" }).map(({ id }) => id);
  const way = random.below(10);
  if (active.length < 3 || way < 2) return { kind: "create", title: `T${serial} task` };
  if (way < 5) return { kind: "status", ids: some(active, random), status: random.pick(statuses) };
  if (way === 5) {
    return {
      kind: "metadata",
      id: random.pick(active),
      priority: random.pick(["low", "high"]),
      effort: `${serial} hours`,
    };
  }
  if (way === 6)
    return { kind: "divide", id: random.pick(active), titles: [`T${serial}a part`, `T${serial}b part`] };
  if (way === 7 && active.length > 5) return { kind: "abandon", ids: some(active, random).slice(0, 2) };
  if (way === 8 && archived.length > 0) return { kind: "recover", ids: some(archived, random) };
  return { kind: random.pick(["sync", "refresh", "archive"] as const), ids: [] };
}

/** A task that changes lists is where being killed hurts most. */
export function pickMove(store: TaskStore, random: Random): StoreCall | undefined {
  const active = store.list().map(({ id }) => id);
  const archived = store.list({ place: "archived" }).map(({ id }) => id);
  if (archived.length > 0 && random.chance(0.5)) return { kind: "recover", ids: some(archived, random) };
  return active.length > 4 ? { kind: "abandon", ids: some(active, random).slice(0, 2) } : undefined;
}

function some(ids: readonly string[], random: Random): readonly string[] {
  const picked = new Set([random.pick(ids)]);
  while (random.chance(0.4)) picked.add(random.pick(ids));
  return [...picked];
}
