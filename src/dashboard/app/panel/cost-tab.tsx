import { CostTable } from "../parts/cost-table.tsx";
import { CostText } from "../parts/cost-text.tsx";
import { formatCount } from "../text/format.ts";
import { sourceWords } from "../text/state-look.ts";
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
      {cost.byModel.length === 0 ? null : (
        <CostTable title="By model" rows={cost.byModel.map((row) => ({ ...row, name: row.model }))} />
      )}
    </div>
  );
}
