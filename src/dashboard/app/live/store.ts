import { useSyncExternalStore } from "react";

/** A value outside of React that components can watch. */
export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (change: (before: Value) => Value) => void;
  readonly watch: (listener: () => void) => () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (change) => {
      const next = change(value);
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  return useSyncExternalStore(store.watch, store.get);
}
