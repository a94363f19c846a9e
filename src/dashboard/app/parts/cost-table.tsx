import type { CostSource } from "../../../app/view-types.ts";
import { formatTokens } from "../text/format.ts";
import { sourceShort, sourceWords } from "../text/state-look.ts";
import { CostText } from "./cost-text.tsx";
import { Outside } from "./outside.tsx";
import { Rows } from "./rows.tsx";

export interface CostRow {
  readonly name: string;
  readonly note?: string;
  readonly microUsd: number;
  readonly tokens: number;
  readonly source: CostSource;
}

/** Cost by agent or by model; the same name may have two rows, one reported and one estimated. */
export function CostTable({ title, rows }: { readonly title: string; readonly rows: readonly CostRow[] }) {
  return (
    <Rows caption={title} columns={["Name", "Tokens", "Cost", "Source"]}>
      {rows.map(({ name, note = "", microUsd, tokens, source }) => (
        <tr key={`${name} ${source}`}>
          <th scope="row">
            <Outside text={name === "" ? "unknown" : name} className="cut" />
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
    </Rows>
  );
}
