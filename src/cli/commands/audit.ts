import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  const exports = command.createOption("--export <kind>", "write files other tools read");
  command
    .description("List, verify, rebuild or export the journal. --verify exits 1 when it was changed.")
    .argument("[story]", "an id or its beginning, @last, or tasks for their changes; nothing: all")
    .option("--limit <n>", "how many of the newest events are listed (default: 50)")
    .option("--verify", "recompute the hash of every event and every projection")
    .option("--rebuild", "throw the projections away and replay the journal")
    .addOption(exports.choices(["jsonl", "graph", "depth", "otlp", "all"]))
    .option("--out <dir>", "folder for exports (default: below .ambit/state)")
    .option("--send", "with --export otlp: to OTEL_EXPORTER_OTLP_ENDPOINT, not to a file")
    .action(
      act(async (context, invocation) => {
        const { runAudit } = await import("./report/audit.ts");
        return runAudit(context, invocation);
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit audit --export all --out audit");
}
