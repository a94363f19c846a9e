import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description(
      "Run attempts of this project on this machine, for the machine that coordinates it. Start it in a clone. AMBIT_CLUSTER_URL is the address of the cluster; code travels through the repository in cluster.hub. Ctrl-C or SIGTERM lets attempts end; a second one stops them.",
    )
    .option("--name <name>", "the name of this machine; by default the host's name")
    .option("--slots <n>", "how many attempts run at once, at most 64; by default 4")
    .option("--drain <seconds>", "how long attempts may go on when it leaves; by default 3600")
    .option(
      "--pool <names>",
      "serve these pools of cluster.pools, such as gpu,default; default has all agents that no pool names",
    )
    .option("--metrics <host:port>", "serve metrics for Prometheus there, at /metrics")
    .option("--once", "leave after one attempt")
    .option("--trust-agents", "let agents run without a sandbox: they can read what this user can")
    .action(act(runWorker))
    .addHelpText("after", "\nExample:\n  AMBIT_CLUSTER_URL=postgresql://me@db/ambit ambit worker --slots 8");
}

async function runWorker(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { workerUseCase } = await import("../../app/worker.ts");
  const json = await workerUseCase.run(context, {
    name: invocation.option("name"),
    slots: optionalWholeNumber(invocation, "slots"),
    drain_seconds: optionalWholeNumber(invocation, "drain"),
    pool: invocation.option("pool"),
    metrics: invocation.option("metrics"),
    once: invocation.flag("once"),
    trust_agents: invocation.flag("trustAgents"),
  });
  return { exitCode: exitCode.completed, json, text: `${json.name} has left after ${json.offers} offers.` };
}
