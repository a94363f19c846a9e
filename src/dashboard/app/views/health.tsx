import type { Health as HealthAnswer, HealthFinding } from "../../../app/view-types.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { Tag } from "../parts/state-mark.tsx";
import { Machines } from "./machines.tsx";
import { Rows } from "../parts/rows.tsx";

/** Whether this machine and project are ready, as `ambit doctor` finds it now. */
export function Health() {
  const { answer, problem, reload } = useAnswer<HealthAnswer>({
    url: "/api/health",
    fields: ["findings", "ok"],
  });
  return (
    <div className="view">
      <div className="view-head">
        <h1>Health</h1>
        <button type="button" className="button" onClick={reload}>
          Look again
        </button>
      </div>
      {problem === undefined ? null : <ProblemNote problem={problem} onRetry={reload} />}
      {answer === undefined ? (
        problem === undefined && <Loading what="the findings" />
      ) : (
        <>
          <Supervisor supervisor={answer.supervisor} />
          {answer.cluster === null ? null : <Machines cluster={answer.cluster} />}
          <Findings findings={answer.findings} />
        </>
      )}
    </div>
  );
}

function Supervisor({ supervisor }: Pick<HealthAnswer, "supervisor">) {
  const { isRunning, pid, version, stories } = supervisor;
  return (
    <p>
      {isRunning ? (
        <Tag tone="good">✔ a supervisor runs</Tag>
      ) : (
        <Tag tone={stories.length > 0 ? "attention" : "quiet"}>◌ no supervisor runs</Tag>
      )}{" "}
      <span className="quiet numbers">
        {isRunning
          ? `process ${pid ?? "?"}, version ${version ?? "?"}, ${stories.length} open stories`
          : "one starts with the next story or answer"}
      </span>
    </p>
  );
}

function Findings({ findings }: { readonly findings: readonly HealthFinding[] }) {
  return (
    <div className="sheet">
      <Rows caption="Findings" isCaptionUnseen columns={["What", "Result", "Found"]}>
        {findings.map((finding, at) => (
          <Finding key={at} finding={finding} />
        ))}
      </Rows>
    </div>
  );
}

const verdicts = {
  good: { tone: "good", text: "✔ ok" },
  advice: { tone: "attention", text: "! advice" },
  absent: { tone: "quiet", text: "- absent" },
  bad: { tone: "bad", text: "✖ not ok" },
} as const;

function chooseVerdict({ ok, isAdvice, isAbsent }: HealthFinding) {
  if (!ok) return verdicts.bad;
  if (isAbsent) return verdicts.absent;
  return isAdvice ? verdicts.advice : verdicts.good;
}

function Finding({ finding }: { readonly finding: HealthFinding }) {
  const { name, ok, detail, next, isAdvice } = finding;
  const { tone, text } = chooseVerdict(finding);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Tag tone={tone}>{text}</Tag>
      </td>
      <td className="wrapped">
        <Outside text={detail} />
        {next === "" || (ok && !isAdvice) ? null : (
          <p className="quiet">
            <Outside text={next} />
          </p>
        )}
      </td>
    </tr>
  );
}
