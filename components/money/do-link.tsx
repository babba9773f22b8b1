"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

/** What the dialogs of the page are called in its address: `?do=send`. */
export type Act = "send" | "allocate" | "withdraw" | "deposit" | "add-funds";

/** The address that opens a dialog. */
export function doHref(act: Act, parameters: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams({ do: act });
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value);
  return `?${search}`;
}

/** Puts a dialog's address in place without asking the server for the page again. */
export function openAct(act: Act, parameters?: Record<string, string | undefined>): void {
  history.pushState(null, "", doHref(act, parameters));
}

/** A link that opens a dialog; in a new tab it opens the page with the dialog. */
export function DoLink({
  act,
  parameters,
  className,
  children,
}: {
  act: Act;
  parameters?: Record<string, string | undefined>;
  className?: string;
  children: ReactNode;
}) {
  const pathname = usePathname();
  return (
    <Link
      href={`${pathname}${doHref(act, parameters)}`}
      prefetch={false}
      scroll={false}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        openAct(act, parameters);
      }}
      className={className}
    >
      {children}
    </Link>
  );
}
