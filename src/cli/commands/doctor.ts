import type { Command } from "commander";
import type { Diagnosis } from "../../app/diagnose-symptom.ts";
import type { DoctorFinding } from "../../app/doctor.ts";
import { findSymptom } from "../../app/symptoms.ts";
import { safeText } from "../../base/safe-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderSymptom } from "../render/symptom.ts";
import { wrapWords } from "../render/wrap-words.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Check whether this machine and project are ready, and whether anything is left behind.")
    .option("--symptom <name>", "look for one symptom; ambit help troubleshooting lists them")
    .option("--fix", "close what a dead supervisor left and remove leftovers")
    .option("--repair", "rebuild a damaged or deleted store from what is left and its backup")
    .action(act(diagnose))
    .addHelpText("after", "\nExamples:\n  ambit doctor --fix\n  ambit doctor --symptom hang");
}

async function diagnose(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const symptom = invocation.option("symptom");
  if (symptom !== undefined) return diagnoseSymptom(context, symptom);
  const { doctorUseCase } = await import("../../app/doctor.ts");
  const json = await doctorUseCase.run(context, {
    fix: invocation.flag("fix"),
    repair: invocation.flag("repair"),
  });
  const { ascii, verbose } = context;
  // The tiers below the one that is used are details, unless it is not good enough.
  const isShown = ({ name, ok }: DoctorFinding): boolean => verbose || !name.startsWith(" ") || !ok;
  const width = terminalWidth(context.environment);
  return {
    exitCode: json.ok ? exitCode.completed : exitCode.environment,
    json,
    text: json.findings
      .filter(isShown)
      .flatMap((finding) => renderFinding(finding, { ascii, width }))
      .join("\n"),
  };
}

/** Narrower terminals have no room beside the names. */
const MIN_WRAPPED = 60;

function renderFinding(
  finding: DoctorFinding,
  { ascii, width = Infinity }: { readonly ascii: boolean; readonly width: number | undefined },
): readonly string[] {
  const { name, ok, detail, next, is_advice: isAdvice } = finding;
  const first = `${chooseSign(finding)[ascii ? "ascii" : "mark"]} ${name.padEnd(18)} `;
  const indent = " ".repeat(width < MIN_WRAPPED ? 4 : first.length);
  const lines = wrapWords(detail.split(" "), { first, indent, width });
  const hasAdvice = next !== undefined && (!ok || isAdvice === true);
  return hasAdvice ? [...lines, `    next  ${next}`] : lines;
}

const signs = {
  good: { mark: "✔", ascii: "ok  " },
  advice: { mark: "!", ascii: "note" },
  absent: { mark: "-", ascii: "-   " },
  bad: { mark: "✖", ascii: "FAIL" },
} as const;

function chooseSign({ ok, is_advice: isAdvice, is_absent: isAbsent }: DoctorFinding) {
  if (!ok) return signs.bad;
  if (isAbsent === true) return signs.absent;
  return isAdvice === true ? signs.advice : signs.good;
}

async function diagnoseSymptom(context: CommandContext, name: string): Promise<CommandOutcome> {
  const { diagnoseSymptomUseCase } = await import("../../app/diagnose-symptom.ts");
  const json = await diagnoseSymptomUseCase.run(context, { symptom: name });
  const symptom = findSymptom(name);
  const [first] = json.found.flatMap(({ id }) => id ?? []);
  const advice = symptom === undefined ? [] : ["", renderSymptom(symptom, first)];
  return { exitCode: exitCode.completed, json, text: [...renderFound(json), ...advice].join("\n") };
}

const MAX_SHOWN = 10;

function renderFound({ found }: Diagnosis): readonly string[] {
  if (found.length === 0) return ["Found here now: nothing that fits."];
  const rest = found.length - MAX_SHOWN;
  return [
    `Found here now (${found.length}):`,
    ...found.slice(0, MAX_SHOWN).map(({ id, what }) => `  ${id === null ? "" : `${id}  `}${safeText(what)}`),
    ...(rest > 0 ? [`  and ${rest} more: --json has all`] : []),
  ];
}
