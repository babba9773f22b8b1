import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { CopyButton } from "./copy-button";
import { SCROLL_REGION } from "./scroll-region";

/** Code with a title and a copy button. `children` may be the highlighted form of `code`. */
export function CodeBlock({
  code,
  title,
  commands = false,
  children,
}: {
  code: string;
  title?: ReactNode;
  /** Whether the code is commands, whose long lines scroll. Long lines of documents wrap. */
  commands?: boolean;
  children?: ReactNode;
}) {
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-sunken">
      {title && (
        <figcaption className="flex items-center justify-between border-line border-b py-1 pr-1.5 pl-3.5 text-muted text-xs">
          {title}
          <CopyButton value={code} label="code" />
        </figcaption>
      )}
      <pre
        tabIndex={commands ? SCROLL_REGION : undefined}
        className={classNames(
          "px-3.5 py-3 font-mono text-[13px] leading-6",
          commands ? "contain-inline-size overflow-x-auto" : "wrap-anywhere whitespace-pre-wrap",
        )}
      >
        <code>{children ?? code}</code>
      </pre>
    </figure>
  );
}
