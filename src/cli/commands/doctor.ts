import type { Command } from "commander";
import type { Act } from "../command-module.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Is this machine and project ready, and is anything left behind?")
    .option("--symptom <name>", "look for one: ambit help troubleshooting lists them")
    .option("--fix", "close what a dead supervisor left and remove leftovers")
    .action(
      act(async (context, invocation) => {
        const symptom = invocation.option("symptom");
        if (symptom !== undefined) {
          const { diagnoseSymptom } = await import("./doctor/diagnose-symptom.ts");
          return diagnoseSymptom(context, symptom);
        }
        const { diagnose } = await import("./work/diagnose.ts");
        return diagnose(context, invocation.flag("fix"));
      }),
    )
    .addHelpText("after", "\nExamples:\n  ambit doctor --fix\n  ambit doctor --symptom hang");
}
