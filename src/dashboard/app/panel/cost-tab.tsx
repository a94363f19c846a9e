import type { ModelCost } from "../../wire.ts";
import { CostText } from "../parts/cost-text.tsx";
import { Outside } from "../parts/outside.tsx";
import { formatCount, formatTokens } from "../text/format.ts";
import { sourceShort, sourceWords } from "../text/state-look.ts";
import type { TabProps } from "./tab-props.ts";

export function CostTab({ detail: { cost } }: TabProps) {
  return (
    <div className="stack">
      <dl className="facts numbers">
        <dt>Its own</dt>
        <dd>
          <CostText microUsd={cost.microUsd} source={cost.source} />{" "}
          <span className="quiet">{sourceWords[cost.source]}</span>
        </dd>
        <dt>With its workers</dt>
        <dd>
          <CostText microUsd={cost.totalMicroUsd} source={cost.source} />
        </dd>
        <dt>Tokens read</dt>
        <dd>
          {formatCount(cost.inputTokens)}{" "}
          <span className="quiet">and {formatCount(cost.cachedTokens)} from a cache</span>
        </dd>
        <dt>Tokens written</dt>
        <dd>{formatCount(cost.outputTokens)}</dd>
        {cost.unpricedTokens === 0 ? null : (
          <>
            <dt>Without a price</dt>
            <dd>{formatCount(cost.unpricedTokens)} tokens, in no sum of money</dd>
          </>
        )}
      </dl>
      {cost.byModel.length === 0 ? null : <ByModel rows={cost.byModel} />}
    </div>
  );
}

function ByModel({ rows }: { readonly rows: readonly ModelCost[] }) {
  return (
    <table className="rows">
      <caption>By model</caption>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cost</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ model, tokens, microUsd, source }) => (
          <tr key={`${model} ${source}`}>
            <th scope="row">
              <Outside text={model === "" ? "not said" : model} />
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
  );
}
