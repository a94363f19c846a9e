/** How tools reach the runtime: always as a worker does, with a token that identifies the caller. */
export interface RuntimeLink {
  /** `worker`: an agent that Ambit started. `outside`: an agent that a person started and sits in front of. */
  readonly mode: "worker" | "outside";
  call(method: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Approves or rejects in the person's name; absent for workers. */
  readonly answer?: (approval: string, isApproved: boolean) => Promise<void>;
  close(): void;
}
