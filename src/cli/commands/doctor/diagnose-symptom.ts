import { systemClock } from "../../../base/clock.ts";
import { safeText } from "../../../base/safe-text.ts";
import { findProjectRoot } from "../../../config/find-project.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { excerpt } from "../../../base/visible-text.ts";
import { readStore } from "../../../app/open-project.ts";
import { runningSupervisor } from "../work/project-supervisor.ts";
import { looks, type Sighting } from "./look.ts";
import { renderSymptom } from "./render-symptom.ts";
import { findSymptom, symptomNames } from "./symptoms.ts";

const SHOWN = 10;

/** What fits a symptom in this project now, what it may come from, and what to do about it (R128). */
export async function diagnoseSymptom(context: CommandContext, name: string): Promise<CommandOutcome> {
  const symptom = findSymptom(name);
  if (symptom === undefined)
    throw usage(
      `there is no symptom "${excerpt(name)}"`,
      `There are: ${symptomNames.join(", ")}. See them all: ambit help troubleshooting.`,
    );
  const sightings = await lookHere(context, name);
  const [first] = sightings.flatMap(({ id }) => id ?? []);
  return {
    exitCode: exitCode.completed,
    json: {
      symptom: symptom.name,
      title: symptom.title,
      found: sightings.map(({ id, what }) => ({ id, what })),
      causes: [...symptom.causes],
      steps: symptom.steps.map(({ text, command }) => ({ text, command: command ?? null })),
    },
    text: [...renderSightings(sightings), "", renderSymptom(symptom, first)].join("\n"),
  };
}

async function lookHere(context: CommandContext, name: string): Promise<readonly Sighting[]> {
  const look = looks.get(name);
  if (look === undefined || findProjectRoot(context.directory) === undefined) return [];
  return readStore(context, async (reader) => {
    if (reader === undefined) return [];
    const supervisor = await runningSupervisor(context);
    supervisor?.close();
    const isSupervised = supervisor !== undefined;
    return look({ context, reader, isSupervised, nowMs: systemClock.wallMs() });
  });
}

function renderSightings(sightings: readonly Sighting[]): readonly string[] {
  if (sightings.length === 0) return ["Found here now: nothing that fits."];
  const rest = sightings.length - SHOWN;
  return [
    `Found here now (${sightings.length}):`,
    ...sightings.slice(0, SHOWN).map(({ id, what }) => `  ${id === null ? "" : `${id}  `}${safeText(what)}`),
    ...(rest > 0 ? [`  and ${rest} more: --json has all`] : []),
  ];
}
