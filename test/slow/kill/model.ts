/** The state of a store as plain maps, rebuilt from event texts; it shares no rule with src/. */
export interface PlainEvent {
  readonly seq: number;
  readonly type: string;
  readonly story: string;
  readonly delegation: string | null;
  readonly attempt: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- texts from the store, judged field by field below
  readonly data: any;
}

interface PlainDelegation {
  readonly parent: string | undefined;
  readonly depth: number;
  readonly limit: number | null;
  state: "queued" | "running" | "waiting" | "closed";
  attempt: number;
  workers: number;
  openWorkers: number;
  lastNumber: number;
  lent: number;
  spent: number;
}

interface PlainLimits {
  readonly maxDepth: number;
  readonly maxDelegations: number;
  readonly fanOut: readonly number[];
  readonly maxConcurrent: number;
}

export interface Model {
  seq: number;
  closed: number;
  refused: number;
  lost: number;
  readonly delegations: Map<string, PlainDelegation>;
  readonly faults: string[];
  /** Every line a writer may have acknowledged. */
  readonly proofs: Set<string>;
  readonly apply: (event: PlainEvent) => void;
}

export function createModel(globalConcurrency: number): Model {
  const stories = new Map<string, { limits: PlainLimits; admitted: number; running: number }>();
  const names = new Set<string>();
  let runningEverywhere = 0;
  const model: Model = {
    seq: 0,
    closed: 0,
    refused: 0,
    lost: 0,
    delegations: new Map(),
    faults: [],
    proofs: new Set(),
    apply,
  };
  return model;

  function apply(event: PlainEvent): void {
    expect(event.seq === model.seq + 1, event, `follows ${model.seq}`);
    model.seq = event.seq;
    if (event.type === "story-opened") return open(event);
    if (event.type === "delegation-admitted") return admit(event);
    if (event.type === "delegation-refused") return refuse(event);
    const delegation = model.delegations.get(event.delegation ?? "");
    if (event.type === "note-added") model.proofs.add(`noted ${event.data.text}`);
    if (event.delegation === null) return;
    if (delegation === undefined) return expect(false, event, "is about an unknown delegation");
    if (event.type === "late-return-ignored") return;
    expect(delegation.state !== "closed", event, "comes after the end");
    if (event.type === "attempt-started") return start(event, delegation);
    if (event.type !== "cancellation-requested") {
      expect(
        event.attempt === delegation.attempt,
        event,
        `belongs to attempt ${event.attempt}, current is ${delegation.attempt}`,
      );
    }
    move(event, delegation);
  }

  function open(event: PlainEvent): void {
    unique(event, [event.story, event.data.sessionId]);
    stories.set(event.story, { limits: event.data.limits, admitted: 0, running: 0 });
    model.delegations.set(event.story, fresh(undefined, 0, event.data.budgetMicroUsd));
    model.proofs.add(`story ${event.story}`);
  }

  function admit(event: PlainEvent): void {
    const { data } = event;
    const story = stories.get(event.story);
    const manager = model.delegations.get(data.parent);
    if (story === undefined || manager === undefined) return expect(false, event, "has no story or manager");
    unique(event, [event.delegation, data.sessionId, data.executionId]);
    story.admitted += 1;
    manager.workers += 1;
    manager.openWorkers += 1;
    manager.lent += data.budgetMicroUsd ?? 0;
    expect(
      manager.state === "running" && manager.attempt === data.parentAttempt,
      event,
      "was asked for by a manager that is not running",
    );
    expect(data.number > manager.lastNumber, event, `reuses number ${data.number}`);
    expect(
      data.depth === manager.depth + 1 && data.depth <= story.limits.maxDepth,
      event,
      `has depth ${data.depth}`,
    );
    expect(story.admitted <= story.limits.maxDelegations, event, `is number ${story.admitted} of its story`);
    const fanOut = story.limits.fanOut[manager.depth] ?? 0;
    expect(manager.workers <= fanOut, event, `is worker ${manager.workers} of ${fanOut}`);
    if (manager.limit !== null) {
      expect(data.budgetMicroUsd !== null, event, "has no money limit below one that has");
      expect(
        manager.lent + manager.spent <= manager.limit,
        event,
        `lends ${manager.lent} + ${manager.spent} of ${manager.limit}`,
      );
    }
    manager.lastNumber = data.number;
    model.delegations.set(event.delegation ?? "", fresh(data.parent, data.depth, data.budgetMicroUsd));
    model.proofs.add(`admitted ${data.description} ${event.delegation}`);
  }

  function refuse(event: PlainEvent): void {
    model.refused += 1;
    expect(event.data.failures.length > 0, event, "gives no reason");
    model.proofs.add(`refused ${event.data.description}`);
  }

  function start(event: PlainEvent, delegation: PlainDelegation): void {
    expect(delegation.state === "queued", event, `starts while ${delegation.state}`);
    expect(
      event.attempt === delegation.attempt + 1,
      event,
      `is attempt ${event.attempt} after ${delegation.attempt}`,
    );
    delegation.attempt = event.attempt;
    setState(event, delegation, "running");
    if (event.attempt > 1) unique(event, [event.data.executionId]);
    model.proofs.add(`begun ${event.data.owner} ${event.delegation} ${event.attempt}`);
  }

  function move(event: PlainEvent, delegation: PlainDelegation): void {
    const { data } = event;
    if (event.type === "attempt-lost") {
      model.lost += 1;
      setState(event, delegation, "queued");
      model.proofs.add(`lost ${event.delegation}`);
    }
    if (event.type === "delegation-returned") setState(event, delegation, "waiting");
    if (event.type === "usage-reported") {
      delegation.spent += data.microUsd;
      model.proofs.add(`spent ${data.model} ${event.delegation} ${data.microUsd}`);
    }
    if (event.type === "delegation-closed") close(event, delegation);
  }

  function close(event: PlainEvent, delegation: PlainDelegation): void {
    expect(delegation.openWorkers === 0, event, `closes over ${delegation.openWorkers} open workers`);
    setState(event, delegation, "closed");
    model.closed += 1;
    model.proofs.add(`settled ${event.data.summary} ${event.delegation} ${event.data.outcome}`);
    const manager = model.delegations.get(delegation.parent ?? "");
    if (manager === undefined) return;
    manager.openWorkers -= 1;
    manager.lent -= delegation.limit ?? 0;
    manager.spent += delegation.spent;
  }

  function setState(event: PlainEvent, delegation: PlainDelegation, state: PlainDelegation["state"]): void {
    const change = Number(state === "running") - Number(delegation.state === "running");
    delegation.state = state;
    const story = stories.get(event.story);
    if (delegation.depth === 0 || story === undefined) return;
    story.running += change;
    runningEverywhere += change;
    expect(
      story.running <= story.limits.maxConcurrent,
      event,
      `is running worker ${story.running} of its story`,
    );
    expect(runningEverywhere <= globalConcurrency, event, `is running worker ${runningEverywhere} of all`);
  }

  function unique(event: PlainEvent, ids: readonly unknown[]): void {
    for (const id of ids) {
      expect(typeof id === "string" && !names.has(id), event, `reuses the id ${String(id)}`);
      names.add(String(id));
    }
  }

  function expect(holds: boolean, event: PlainEvent, fault: string): void {
    if (!holds) model.faults.push(`event ${event.seq} (${event.type} ${event.delegation}) ${fault}`);
  }
}

function fresh(parent: string | undefined, depth: number, limit: number | null): PlainDelegation {
  return {
    parent,
    depth,
    limit,
    state: "queued",
    attempt: 0,
    workers: 0,
    openWorkers: 0,
    lastNumber: 0,
    lent: 0,
    spent: 0,
  };
}
