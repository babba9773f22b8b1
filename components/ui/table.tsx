import type { ReactNode } from "react";
import { classNames } from "./class-names";

/** A column: its name, and how it renders a row. */
export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Whether the cell names the row. On a phone it comes first and without the column's name. */
  heading?: boolean;
  /** Whether to hide the column on tablets, where only few columns fit. */
  wide?: boolean;
  className?: string;
}

/**
 * A table for a flush card. On a phone each row becomes a list of names and values, which is as wide as the card whatever
 * it contains: a long name is cut there.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
}: {
  /** What the table lists, for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}) {
  return (
    <table
      aria-label={label}
      className="group/amounts block w-full border-line border-t text-sm max-sm:contain-inline-size sm:table"
    >
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr>
          {columns.map(({ name, align, wide }) => (
            <th
              key={name}
              scope="col"
              className={classNames(
                "whitespace-nowrap px-3 py-2.5 font-medium text-muted text-xs first:pl-5 last:pr-5",
                align === "end" ? "text-right" : "text-left",
                wide && "sm:max-lg:hidden",
              )}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block sm:table-row-group">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            className="relative block border-line border-t px-4 py-3 first:border-t-0 hover:bg-sunken/50 sm:table-row sm:p-0 sm:first:border-t"
          >
            {columns.map(({ name, cell, align, heading, wide, className }) => (
              <td
                key={name}
                className={classNames(
                  "flex min-h-7 items-center justify-between gap-4 sm:px-3 sm:py-3.5 sm:first:pl-5 sm:last:pr-5",
                  wide ? "sm:max-lg:hidden lg:table-cell" : "sm:table-cell",
                  "border-line sm:border-t",
                  align === "end" && "sm:text-right",
                  className,
                )}
              >
                {!heading && (
                  <span aria-hidden="true" className="text-muted text-xs sm:hidden">
                    {name}
                  </span>
                )}
                <span className={classNames("min-w-0 max-sm:wrap-anywhere", heading && "grow")}>{cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
