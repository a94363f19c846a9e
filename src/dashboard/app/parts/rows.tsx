import type { ReactNode } from "react";

interface RowsProps {
  readonly caption: string;
  /** The caption is only read aloud, because a heading above says the same. */
  readonly isCaptionUnseen?: boolean;
  readonly columns: readonly string[];
  /** Those of the columns that a narrow page leaves out. */
  readonly wide?: readonly string[];
  readonly children: ReactNode;
}

/** A table with one head line; its rows are the children. */
export function Rows({ caption, isCaptionUnseen = false, columns, wide = [], children }: RowsProps) {
  return (
    <table className="rows">
      <caption className={isCaptionUnseen ? "unseen" : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" className={wide.includes(name) ? "wide" : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
