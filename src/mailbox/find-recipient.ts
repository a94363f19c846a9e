/** Who a sender may write to: whoever it works for, and whoever works for it. */
export interface Circle {
  readonly self: string;
  /** Null where a person is its manager. */
  readonly manager: { readonly id: string; readonly agent: string | null } | null;
  readonly workers: readonly CircleWorker[];
}

export interface CircleWorker {
  readonly id: string;
  readonly agent: string | null;
  /** The task of the sender's list it does. */
  readonly todo: string | null;
  readonly isOpen: boolean;
}

/** Whoever started the story, as messages name them. */
export const PERSON = "person";

export type Recipient =
  | { readonly kind: "manager" | "worker"; readonly id: string }
  | { readonly kind: "person"; readonly id: typeof PERSON }
  | { readonly kind: "nobody"; readonly why: string };

const namesOfPerson: ReadonlySet<string> = new Set([PERSON, "user", "human"]);
const namesOfManager: ReadonlySet<string> = new Set(["manager", "manager-id", "parent"]);

/**
 * Reads the `to` of a message. Names are looked up among the sender's own circle alone, so that nobody can write to, or
 * learn of, anybody else. An agent that works on several tasks is told apart by the task the message is about.
 */
export function findRecipient(circle: Circle, to: string, taskId: string): Recipient {
  const name = to.trim();
  const { manager } = circle;
  if (namesOfPerson.has(name.toLowerCase())) return { kind: "person", id: PERSON };
  if (namesOfManager.has(name.toLowerCase()) || name === manager?.id)
    return manager === null ? { kind: "person", id: PERSON } : { kind: "manager", id: manager.id };
  const wholeName = name.startsWith("DEL-") ? `${circle.self}-${name}` : name;
  const byId = circle.workers.find(({ id }) => id === wholeName);
  if (byId !== undefined) return { kind: "worker", id: byId.id };
  const byAgent = findByAgent(circle, name, taskId);
  if (byAgent !== undefined) return byAgent;
  if (manager !== null && manager.agent === name) return { kind: "manager", id: manager.id };
  return { kind: "nobody", why: `You have neither a manager nor a worker called ${name}.` };
}

function findByAgent(circle: Circle, name: string, taskId: string): Recipient | undefined {
  const all = circle.workers.filter(({ agent }) => agent === name);
  const aboutTask = all.filter(({ id, todo }) => todo === taskId || id === taskId);
  const open = all.filter(({ isOpen }) => isOpen);
  const newest = aboutTask.at(-1) ?? (open.length === 0 ? all.at(-1) : undefined);
  if (newest !== undefined) return { kind: "worker", id: newest.id };
  const [only] = open;
  if (only !== undefined && open.length === 1) return { kind: "worker", id: only.id };
  if (open.length === 0) return undefined;
  const ids = open.map(({ id }) => id).join(", ");
  return { kind: "nobody", why: `${name} does several tasks for you; name one of ${ids}.` };
}
