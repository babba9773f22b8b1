import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

/** Code with a head that names it and copies it. `children` may be the highlighted form of `code`. */
export function CodeBlock({ code, title, children }: { code: string; title?: ReactNode; children?: ReactNode }) {
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-sunken">
      {title && (
        <figcaption className="flex items-center justify-between border-line border-b py-1 pr-1.5 pl-3.5 text-muted text-xs">
          {title}
          <CopyButton value={code} label="code" />
        </figcaption>
      )}
      <pre className="wrap-anywhere whitespace-pre-wrap px-3.5 py-3 font-mono text-[13px] leading-6">
        <code>{children ?? code}</code>
      </pre>
    </figure>
  );
}
