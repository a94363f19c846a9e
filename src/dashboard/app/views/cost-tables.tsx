import type { StoryCost } from "../../../app/view-types.ts";
import { CostTable, type CostRow } from "../parts/cost-table.tsx";
import { CostText } from "../parts/cost-text.tsx";
import { plural } from "../text/format.ts";
import { Rows } from "../parts/rows.tsx";

export function CostTables({ cost }: { readonly cost: StoryCost }) {
  return (
    <div className="thirds">
      <CostSheet
        title="By agent"
        rows={cost.byAgent.map((row) => ({
          ...row,
          name: row.agent,
          note: plural(row.delegations, "delegation"),
        }))}
      />
      <CostSheet title="By model" rows={cost.byModel.map((row) => ({ ...row, name: row.model }))} />
      <DepthTable depths={cost.depths} />
    </div>
  );
}

function CostSheet({ title, rows }: { readonly title: string; readonly rows: readonly CostRow[] }) {
  return (
    <section className="sheet" aria-label={title}>
      <CostTable title={title} rows={rows} />
    </section>
  );
}

function DepthTable({ depths }: { readonly depths: StoryCost["depths"] }) {
  return (
    <section className="sheet" aria-label="By depth">
      <Rows caption="By depth" columns={["Depth", "Tasks", "Cost"]}>
        {depths.map(({ depth, tasks, microUsd }) => (
          <tr key={depth}>
            <th scope="row">{depth === 0 ? "the story itself" : depth}</th>
            <td className="numbers">{tasks}</td>
            <td className="numbers">
              <CostText microUsd={microUsd} source="reported" />
            </td>
          </tr>
        ))}
      </Rows>
    </section>
  );
}
