import { expandChildId } from "../contract/child-id.ts";

/** The delegations that a sender may write to: its manager and its workers. */
export interface Circle {
  readonly self: string;
  /** Null if a person is its manager. */
  readonly manager: { readonly id: string; readonly agent: string | null } | null;
  readonly workers: readonly CircleWorker[];
}

export interface CircleWorker {
  readonly id: string;
  readonly agent: string | null;
  /** The task of the sender's list that it works on. */
  readonly todo: string | null;
  readonly isOpen: boolean;
}

/** The person who started the story, as messages name them. */
export const PERSON = "person";

export type Recipient =
  | { readonly kind: "manager" | "worker"; readonly id: string }
  | { readonly kind: "person"; readonly id: typeof PERSON }
  | { readonly kind: "unknown"; readonly why: string };

const namesOfPerson: ReadonlySet<string> = new Set([PERSON, "user", "human"]);
const namesOfManager: ReadonlySet<string> = new Set(["manager", "manager-id", "parent"]);

/**
 * Reads the `to` of a message. Names are looked up only in the sender's own circle, so that it cannot write to, or learn
 * of, any other delegation. The task of the message decides between several workers of one agent.
 */
export function findRecipient(circle: Circle, to: string, taskId: string): Recipient {
  const name = to.trim();
  const { manager } = circle;
  if (namesOfPerson.has(name.toLowerCase())) return { kind: "person", id: PERSON };
  if (namesOfManager.has(name.toLowerCase()) || name === manager?.id)
    return manager === null ? { kind: "person", id: PERSON } : { kind: "manager", id: manager.id };
  const fullName = expandChildId(circle.self, name);
  const byId = circle.workers.find(({ id }) => id === fullName);
  if (byId !== undefined) return { kind: "worker", id: byId.id };
  const byAgent = findByAgent(circle, name, taskId);
  if (byAgent !== undefined) return byAgent;
  if (manager !== null && manager.agent === name) return { kind: "manager", id: manager.id };
  return { kind: "unknown", why: `You have neither a manager nor a worker called ${name}.` };
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
  return { kind: "unknown", why: `${name} does several tasks for you; name one of ${ids}.` };
}
