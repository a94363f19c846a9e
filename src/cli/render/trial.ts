import type { InitAnswer } from "../../app/init.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { renderColumns } from "./columns.ts";

type Trial = NonNullable<InitAnswer["trial"]>;
type TestRun = NonNullable<Trial["home"]>;

/** How the tests ended at home and in a fresh workspace, with what was tried. */
export function renderTrial(trial: Trial, isThere: boolean): string {
  const { home, workspace } = trial;
  const conclusion = describeStatus(trial, isThere);
  if (home === null || workspace === null) return conclusion;
  const rows = [
    ["tests here", describeRun(home)],
    ["in a fresh workspace", describeRun(workspace)],
    ...listShown(trial).map(({ settings, run }) => [`with ${describeSettings(settings)}`, describeRun(run)]),
  ];
  const quoted = findQuoted(trial);
  const evidence = quoted === null ? [] : ["", ...quoteEvidence(quoted)];
  return [renderColumns(rows), ...evidence, "", conclusion].join("\n");
}

/** The run whose output shows what is wrong. */
function findQuoted({ status, home, workspace }: Trial): TestRun | null {
  if (status === "different" || status === "mended") return workspace;
  return status === "equal" && home?.verdict === "failed" ? home : null;
}

/** The chosen settings; if nothing helped, everything that was tried. */
function listShown({ status, tried, settings }: Trial): Trial["tried"] {
  if (status !== "mended") return tried;
  return tried.filter((one) => describeSettings(one.settings) === describeSettings(settings));
}

function describeStatus({ status, reason, home, settings }: Trial, isThere: boolean): string {
  switch (status) {
    case "equal":
      if (home?.verdict !== "passed") return "The tests fail in a fresh workspace as they do here.";
      return hasRunNone(home)
        ? "No test ran, so this proves nothing. Set the command that runs them: ambit config set verification.test '<command>'"
        : "A fresh workspace has what the tests need.";
    case "mended":
      return `The tests need ${describeSettings(settings)}; ${isThere ? "your ambit.yaml lacks it" : "the file below has it"}.`;
    case "different":
      return "No setting was found that makes both equal. See docs/guides/workspaces.md for what a workspace has.";
    case "unknown":
      return "The tests did not finish here, so nothing was compared.";
    case "not-run":
      return `The tests were not tried: ${reason ?? ""}`;
  }
}

function hasRunNone({ tests }: TestRun): boolean {
  return tests !== null && tests.passed === 0 && tests.failed === 0;
}

function describeRun({ verdict, tests, exit_code: code, failing, duration_ms: durationMs }: TestRun): string {
  const counts =
    tests === null ? "" : ` ${tests.passed} passed${tests.failed === 0 ? "" : `, ${tests.failed} failed`},`;
  const names = failing.length === 0 ? "" : ` (${failing.slice(0, MAX_NAMES).join(", ")})`;
  const exit = verdict === "failed" && code !== null ? ` exit code ${code},` : "";
  return `${verdict}:${counts}${exit} ${renderDuration(durationMs)}${names}`;
}

const MAX_NAMES = 3;
const MAX_LINES = 12;

function quoteEvidence({ evidence }: TestRun): readonly string[] {
  return evidence
    .split("\n")
    .slice(0, MAX_LINES)
    .map((line) => `  ${line}`);
}

function describeSettings({ include, setup, pass }: Trial["settings"]): string {
  return [
    ...(include.length === 0 ? [] : [`workspace.include [${include.join(", ")}]`]),
    ...(setup === null ? [] : [`workspace.setup "${setup}"`]),
    ...(pass.length === 0 ? [] : [`workspace.env.pass [${pass.join(", ")}]`]),
  ].join(" and ");
}
