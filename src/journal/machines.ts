export { Machines, type KnownMachine, type MachineFacts } from "./postgres/machines.ts";
export { requireAddress } from "./postgres/open-cluster-store.ts";
