import type { AnswerSource, ApprovalAnswer } from "../../contract/approval.ts";
import type { Admission, Delegation, StopWish } from "../../journal/store.ts";
import type { StoryCaller } from "../ports/story-origins.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { Caller, LiveAttempts } from "./live-attempts.ts";

export interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  readonly by: string;
  readonly reason: string;
  readonly via?: AnswerSource;
  /** The attempt whose agent answers. */
  readonly speaker?: Caller;
}

/** The part of the engine that calls of workers, external managers and people use. */
export interface EngineCalls {
  readonly tools: RunTools;
  readonly live: LiveAttempts;
  readonly externalManagers: { finish(id: string, said: string): void };
  read(id: string): Promise<Delegation>;
  openStory(input: unknown, caller?: StoryCaller): Promise<string>;
  delegate(caller: Caller, input: unknown): Promise<readonly Admission[]>;
  answer(approvalId: string, given: GivenAnswer): Promise<void>;
  stop(id: string, why: StopWish): Promise<void>;
  whenEnded(id: string): Promise<Delegation>;
  whenAnswered(approvalId: string): Promise<void>;
  lendSlot(id: string, isLent: boolean): void;
  whyWaiting(id: string): string | undefined;
}
