import type { CostSource, RunCost } from "../../wire.ts";
import { CostText } from "../parts/cost-text.tsx";
import { Outside } from "../parts/outside.tsx";
import { formatTokens, plural } from "../text/format.ts";
import { sourceShort, sourceWords } from "../text/state-look.ts";

export function CostTables({ cost }: { readonly cost: RunCost }) {
  return (
    <div className="thirds">
      <CostTable
        title="By agent"
        rows={cost.byAgent.map((row) => ({
          ...row,
          name: row.agent,
          note: plural(row.delegations, "delegation"),
        }))}
      />
      <CostTable title="By model" rows={cost.byModel.map((row) => ({ ...row, name: row.model, note: "" }))} />
      <DepthTable depths={cost.depths} />
    </div>
  );
}

interface CostTableRow {
  readonly name: string;
  readonly note: string;
  readonly microUsd: number;
  readonly tokens: number;
  readonly source: CostSource;
}

function CostTable({ title, rows }: { readonly title: string; readonly rows: readonly CostTableRow[] }) {
  return (
    <section className="sheet" aria-label={title}>
      <table className="rows">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, note, microUsd, tokens, source }) => (
            <tr key={name}>
              <th scope="row">
                <Outside text={name === "" ? "not said" : name} className="cut" />
                {note === "" ? null : <span className="quiet under">{note}</span>}
              </th>
              <td className="numbers">{formatTokens(tokens)}</td>
              <td className="numbers">
                <CostText microUsd={microUsd} source={source} />
              </td>
              <td className="quiet" title={sourceWords[source]}>
                {sourceShort[source]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function DepthTable({ depths }: { readonly depths: RunCost["depths"] }) {
  return (
    <section className="sheet" aria-label="By depth">
      <table className="rows">
        <caption>By depth</caption>
        <thead>
          <tr>
            <th scope="col">Depth</th>
            <th scope="col">Tasks</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {depths.map(({ depth, tasks, microUsd }) => (
            <tr key={depth}>
              <th scope="row">{depth === 0 ? "the story itself" : depth}</th>
              <td className="numbers">{tasks}</td>
              <td className="numbers">
                <CostText microUsd={microUsd} source="reported" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
