import { existsSync } from "node:fs";
import { exitCode } from "../../../contract/exit-code.ts";
import { rebuildStore } from "../../../journal/rebuild-store.ts";
import { verifyJournal, type JournalVerdict } from "../../../journal/verify-journal.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { verdictOutcome } from "../../verdict-outcome.ts";
import { findProject, nothingYet } from "../../../app/open-project.ts";

/** The chain covers the whole journal, so the answer does too, whichever story was named. */
export function verifyAudit(context: CommandContext): CommandOutcome {
  const verdict = verifyJournal(findProject(context).storeFile);
  const failures = findFailures(verdict);
  return verdictOutcome(
    {
      fields: {
        valid: failures.length === 0,
        events: verdict.events,
        head_hash: verdict.headHash,
        first_bad: verdict.firstBad ?? null,
        differing_projections: verdict.differingProjections,
      },
      passed: `${verdict.events} events, head ${verdict.headHash}: the chain holds and every projection matches it`,
      failures,
    },
    context,
  );
}

function findFailures({ firstBad, differingProjections }: JournalVerdict) {
  if (firstBad !== undefined) {
    return [
      {
        code: "CHAIN_BROKEN",
        message: `The journal is not what was written: event ${firstBad.seq}: ${firstBad.reason}.`,
        suggestion:
          "Everything before that event is sound. Keep a copy of the store and restore it from a backup.",
      },
    ];
  }
  if (differingProjections.length === 0) return [];
  return [
    {
      code: "PROJECTION_DIFFERS",
      message: `The chain holds, but these tables differ from a replay of it: ${differingProjections.join(", ")}.`,
      suggestion: "Rebuild them from the journal with ambit audit --rebuild.",
    },
  ];
}

export function rebuildAudit(context: CommandContext): CommandOutcome {
  const { storeFile } = findProject(context);
  // Opening for writing would create a store where there is none.
  if (!existsSync(storeFile)) {
    return { exitCode: exitCode.completed, json: { rebuilt: false, events: 0 }, text: nothingYet };
  }
  const events = rebuildStore(storeFile);
  const message = `every projection was rebuilt from ${events} events`;
  return {
    exitCode: exitCode.completed,
    json: { rebuilt: true, events },
    text: renderVerdict({ ok: true, message }, context),
  };
}
