interface GridHeadProps {
  readonly columns: readonly string[];
  readonly rowClass: string;
}

/** The column names of a grid; they stay visible while its rows scroll. */
export function GridHead({ columns, rowClass }: GridHeadProps) {
  return (
    <div role="rowgroup" className="tree-head">
      <div role="row" aria-rowindex={1} className={rowClass}>
        {columns.map((name) => (
          <span key={name} role="columnheader" className={`c-${name.toLowerCase()}`}>
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}
