import type { Command } from "commander";
import type { ClusterAnswer } from "../../app/cluster.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { renderVerdict } from "../render/verdict.ts";

export function register(command: Command, act: Act): void {
  command.description(
    "Keep this project's journal in PostgreSQL. AMBIT_CLUSTER_URL, or a file that\nAMBIT_CLUSTER_URL_FILE names, holds the address; it is never written anywhere.",
  );
  command
    .command("init")
    .description(
      "Prepare or upgrade the database, and join it. The first time it needs a user who may create a schema and roles.",
    )
    .option("--take", "coordinate from here, because the machine that did is gone")
    .action(act(initCluster))
    .addHelpText("after", "\nExample:\n  AMBIT_CLUSTER_URL=postgresql://me@db/ambit ambit cluster init");
  command
    .command("status")
    .description("Compare the project's journal in PostgreSQL with this machine's.")
    .action(act(showStatus))
    .addHelpText("after", "\nExample:\n  ambit cluster status --json");
  command
    .command("import")
    .description("Copy the journal of this machine into the cluster, event by event, and join.")
    .action(act(importJournal))
    .addHelpText("after", "\nExample:\n  ambit cluster import");
  command
    .command("export")
    .description("Bring everything back to this machine and continue without the cluster.")
    .action(act(exportJournal))
    .addHelpText("after", "\nExample:\n  ambit cluster export");
  command
    .command("drain")
    .argument("<machine>", "its name; ambit cluster status lists the machines")
    .description("Ask a machine to end its attempts and leave.")
    .action(act(drainMachine))
    .addHelpText("after", "\nExample:\n  ambit cluster drain north");
  command
    .command("remove")
    .argument("<machine>", "its name; ambit cluster status lists the machines")
    .description("Stop a machine now, keep its work, and close its name.")
    .action(act(removeMachine))
    .addHelpText("after", "\nExample:\n  ambit cluster remove north");
  command.addHelpText("after", "\nExample:\n  ambit cluster status");
}

async function showStatus(context: CommandContext): Promise<CommandOutcome> {
  const { clusterStatusUseCase } = await import("../../app/cluster.ts");
  const json = await clusterStatusUseCase.run(context, {});
  return { exitCode: exitCode.completed, json, text: renderStatus(json) };
}

async function initCluster(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { clusterInitUseCase } = await import("../../app/cluster.ts");
  const json = await clusterInitUseCase.run(context, { take: invocation.flag("take") });
  const done = json.is_member
    ? `This project works on the journal at ${json.place}, with ${json.events_there ?? 0} events`
    : `${json.place} is ready; this machine has ${json.events_here} events of its own`;
  const line = renderVerdict({ ok: true, message: done }, context);
  const next = json.is_member ? `  work  ${renderRunner(json)}` : "  next  ambit cluster import";
  const text = `${line}\n${next}`;
  return { exitCode: exitCode.completed, json, text };
}

async function importJournal(context: CommandContext): Promise<CommandOutcome> {
  const { clusterImportUseCase } = await import("../../app/cluster.ts");
  const json = await clusterImportUseCase.run(context, {});
  const message = `${json.place} has all ${json.events_there ?? 0} events; this project works on them there`;
  return { exitCode: exitCode.completed, json, text: renderVerdict({ ok: true, message }, context) };
}

async function exportJournal(context: CommandContext): Promise<CommandOutcome> {
  const { clusterExportUseCase } = await import("../../app/cluster.ts");
  const json = await clusterExportUseCase.run(context, {});
  const message = `All ${json.events} events are on this machine, and it continues without the cluster`;
  return { exitCode: exitCode.completed, json, text: renderVerdict({ ok: true, message }, context) };
}

async function drainMachine(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { clusterDrainUseCase } = await import("../../app/cluster.ts");
  const json = await clusterDrainUseCase.run(context, { name: invocation.argument("machine") });
  const message = `${json.name} leaves after its attempts`;
  return { exitCode: exitCode.completed, json, text: renderVerdict({ ok: true, message }, context) };
}

async function removeMachine(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { clusterRemoveUseCase } = await import("../../app/cluster.ts");
  const json = await clusterRemoveUseCase.run(context, { name: invocation.argument("machine") });
  const message = `${json.name} stops now, and its name is closed`;
  return { exitCode: exitCode.completed, json, text: renderVerdict({ ok: true, message }, context) };
}

const SHOWN_HASH = 8;

function renderStatus(answer: ClusterAnswer): string {
  const there =
    answer.events_there === null || answer.head_there === null
      ? "unknown to this database; run ambit cluster init"
      : `${answer.events_there} events, head ${answer.head_there.slice(0, SHOWN_HASH)}`;
  return renderColumns([
    ["database", `${answer.place}, PostgreSQL ${answer.server_version}`],
    ["project", answer.project],
    ["journal", answer.is_member ? "in the cluster" : "embedded, on this machine"],
    ["work", renderRunner(answer)],
    ["there", there],
    ["here", `${answer.events_here} events, head ${answer.head_here.slice(0, SHOWN_HASH)}`],
    ["clock", renderSkew(answer.clock_skew_ms)],
    ...answer.machines.map((machine) => ["machine", renderMachine(machine)]),
  ]);
}

function renderMachine(machine: ClusterAnswer["machines"][number]): string {
  const { name, slots, used, draining, alive, pool } = machine;
  const names = pool.split(",");
  const inPool = pool === "default" ? "" : `, ${names.length === 1 ? "pool" : "pools"} ${names.join(", ")}`;
  const state = alive
    ? `${used} of ${slots} slots used${inPool}${draining ? ", leaving" : ""}`
    : "not heard any more";
  return `${name}: ${state}`;
}

function renderRunner({ runs_here: isHere, runs_on: name, coordinated, epoch }: ClusterAnswer): string {
  if (name === null) return "runs on the machine that starts the first story";
  const state = coordinated ? `epoch ${epoch}` : "no supervisor there now";
  return isHere ? `runs on this machine (${state})` : `runs on ${name} (${state}); here it can be looked at`;
}

function renderSkew(ms: number): string {
  return `${Math.abs(ms)} ms ${ms < 0 ? "behind" : "ahead of"} the database's`;
}
