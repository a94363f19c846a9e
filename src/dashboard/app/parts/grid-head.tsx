import type { ReactNode } from "react";

export interface GridColumn {
  readonly name: string;
  /** The order that a click on the name gives; the column cannot be sorted by if absent. */
  readonly sort?: string;
  /** Shown instead of the name. */
  readonly content?: ReactNode;
}

interface GridHeadProps {
  readonly columns: readonly GridColumn[];
  readonly rowClass: string;
  readonly sorted?: string;
  readonly onSort?: (sort: string) => void;
}

/** The column names of a grid; they stay visible while its rows scroll. */
export function GridHead({ columns, rowClass, sorted, onSort }: GridHeadProps) {
  return (
    <div role="rowgroup" className="tree-head">
      <div role="row" aria-rowindex={1} className={rowClass}>
        {columns.map(({ name, sort, content }) => (
          <span
            key={name}
            role="columnheader"
            className={`c-${name.toLowerCase()}`}
            aria-sort={sort !== undefined && sort === sorted ? "descending" : undefined}
          >
            {content ??
              (sort === undefined || onSort === undefined ? (
                name
              ) : (
                <button
                  type="button"
                  className="more"
                  title={`Sort by ${name.toLowerCase()}`}
                  onClick={() => onSort(sort)}
                >
                  {name}
                  <span aria-hidden="true">{sort === sorted ? " ▾" : ""}</span>
                </button>
              ))}
          </span>
        ))}
      </div>
    </div>
  );
}
