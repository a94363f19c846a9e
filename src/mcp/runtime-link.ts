/** How tools reach the runtime: always as a worker would, with a token that says who they are. */
export interface RuntimeLink {
  /** `worker`: an agent we started. `outside`: an agent a person started, with that person in front of it. */
  readonly mode: "worker" | "outside";
  call(method: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Says yes or no in the person's name; workers have no such thing. */
  readonly answer?: (approval: string, isApproved: boolean) => Promise<void>;
  close(): void;
}
