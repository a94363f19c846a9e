import type { AgentEvent } from "../../../agents/adapter.ts";

type ToolCall = Pick<Extract<AgentEvent, { kind: "tool-called" }>, "name" | "input">;

/** An agent repeats itself if its calls follow each other in a cycle of at most this many. */
const MAX_PERIOD = 4;
const MAX_CALLS_UNWARNED = 10;
const MAX_REPEATED_CALLS = 25;

export type LoopSign = "none" | "warn" | "stop";

interface SeenCall {
  readonly key: string;
  readonly isWait: boolean;
}

/** Finds equal tool calls in a row, and short cycles of them. A call whose input is unknown ends every cycle. */
export class LoopWatch {
  readonly #recent: SeenCall[] = [];
  /** How many calls in a row were equal to the one this many calls before, by period. */
  readonly #equal: number[] = Array.from({ length: MAX_PERIOD }, () => 0);
  #isWarned = false;

  /** Whether its last calls were a loop long enough for a warning. */
  get isRepeating(): boolean {
    return this.#isWarned;
  }

  /** Whether a wait for workers is among its last calls: while it has workers, it repeats that call on purpose. */
  get isWaiting(): boolean {
    return this.#recent.some(({ isWait }) => isWait);
  }

  /** "warn" is returned once for each time it begins to repeat itself. */
  countCall({ name, input }: ToolCall): LoopSign {
    if (input === undefined) {
      this.forgetCalls();
      return "none";
    }
    const repeated = this.#countRepeated({ key: `${name} ${input}`, isWait: isWaitTool(name) });
    if (repeated >= MAX_REPEATED_CALLS) return "stop";
    if (repeated < MAX_CALLS_UNWARNED) this.#isWarned = false;
    if (repeated < MAX_CALLS_UNWARNED || this.#isWarned) return "none";
    this.#isWarned = true;
    return "warn";
  }

  /** The length of the longest cycle that ends with this call, counted in calls. */
  #countRepeated(call: SeenCall): number {
    for (let period = 1; period <= MAX_PERIOD; period += 1) {
      const isEqual = this.#recent.at(-period)?.key === call.key;
      this.#equal[period - 1] = isEqual ? (this.#equal[period - 1] ?? 0) + 1 : 0;
    }
    this.#recent.push(call);
    if (this.#recent.length > MAX_PERIOD) this.#recent.shift();
    return Math.max(...this.#equal.map((count, index) => (count === 0 ? 1 : count + index + 1)));
  }

  forgetCalls(): void {
    this.#recent.length = 0;
    this.#equal.fill(0);
    this.#isWarned = false;
  }
}

/** The tool `wait` of Ambit's own server, however a program writes its full name. */
function isWaitTool(name: string): boolean {
  return name.includes("ambit") && name.endsWith("wait");
}
