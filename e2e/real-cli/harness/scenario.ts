import type { ModelScriptsInput } from "../../../src/testing/index.ts";
import type { AgentCli } from "./clis.ts";
import type { Machine, MachineOrder } from "./machine.ts";

/** Who plays: the first leads. */
export type Cast = readonly AgentCli[];

export interface Stage {
  readonly cast: Cast;
  readonly manager: AgentCli;
  /** The manager itself where it plays alone. */
  readonly worker: AgentCli;
  /** A few words for the table: what was seen. */
  readonly tell: (words: string) => void;
  readonly open: (
    order: Omit<MachineOrder, "name" | "clis" | "scripts"> & { scripts: ModelScriptsInput },
  ) => Promise<Machine>;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** `alone`: every CLI. `pair`: every manager with every other CLI as its worker. `chain`: three, one below the other. */
  readonly shape: "alone" | "pair" | "chain";
  /** Whom it can be played with as manager; everybody where absent. */
  readonly suits?: (manager: AgentCli) => boolean;
  /** Also played with agents that a generic adapter drives; as a pair, each leads one worker with an adapter of its own. */
  readonly forGeneric?: boolean;
  /** Part of the quick subset. */
  readonly isFast?: boolean;
  /** Throws with the reason when it falls short. */
  readonly play: (stage: Stage) => Promise<void>;
}

/** Every cast a scenario is played with. */
export function castsFor(
  { shape, suits = () => true, forGeneric = false }: Scenario,
  clis: readonly AgentCli[],
): readonly Cast[] {
  const [native, generic] = [clis.filter(isNative), clis.filter((cli) => !isNative(cli))];
  // Of another provider, so that the settings of both can be in one home.
  const findWorker = ({ api }: AgentCli): AgentCli | undefined => native.find((cli) => cli.api !== api);
  const led = forGeneric ? generic.flatMap((cli) => genericCasts(shape, cli, findWorker(cli))) : [];
  return [...castsOf(shape, native), ...led].filter(([manager]) => manager !== undefined && suits(manager));
}

function isNative({ acpCommand }: AgentCli): boolean {
  return acpCommand === undefined;
}

function genericCasts(
  shape: Scenario["shape"],
  cli: AgentCli,
  worker: AgentCli | undefined,
): readonly Cast[] {
  if (shape === "alone") return [[cli]];
  return shape === "pair" && worker !== undefined ? [[cli, worker]] : [];
}

function castsOf(shape: Scenario["shape"], clis: readonly AgentCli[]): readonly Cast[] {
  switch (shape) {
    case "alone":
      return clis.map((cli) => [cli]);
    case "pair":
      return clis.flatMap((manager) =>
        clis.filter((worker) => worker !== manager).map((worker) => [manager, worker]),
      );
    case "chain":
      return clis.length < 3 ? [] : [clis.slice(0, 3)];
  }
}
