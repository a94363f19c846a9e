import type { Command } from "commander";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act } from "../input/command-module.ts";
import { renderFigures } from "../render/figures.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Count delegations: in total, by depth and open, with the depth allowed.")
    .action(
      act(async (context) => {
        const { statsUseCase } = await import("../../app/stats.ts");
        const json = await statsUseCase.run(context, {});
        return { exitCode: exitCode.completed, json, text: renderFigures(json) };
      }),
    )
    .addHelpText("after", "\nExample:\n  ambit stats --json");
}
