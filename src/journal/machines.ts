export { Board, type AttemptName, type BoardNotice, type OutputChunk } from "./postgres/board.ts";
export { Machines, type KnownMachine, type MachineFacts } from "./postgres/machines.ts";
export { readClusterAddress } from "./postgres/address.ts";
export { requireAddress } from "./postgres/open-cluster-store.ts";
