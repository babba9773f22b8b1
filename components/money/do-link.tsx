"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Link } from "@/components/ui/link";

/** What the dialogs of the overview and of the balances are called in their address: `?do=send`. */
export type Act = "send" | "allocate" | "withdraw" | "deposit" | "add-funds" | "abandon" | "prove-funds";

/** What of that address opens a dialog. */
export function doHref(act: Act, parameters: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams({ do: act });
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value);
  return `?${search}`;
}

/**
 * A link that opens a dialog, from anywhere: over the balances where they are on screen, else over the overview. It is a
 * navigation of the router's: an address changed behind its back (history.pushState) no longer matches what the server
 * renders at the next refresh, which then loads the whole page and locks the vault.
 */
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
  const network = useNetwork();
  const balances = `/${network}/balances`;
  const page = usePathname() === balances ? balances : `/${network}`;
  return (
    <Link href={`${page}${doHref(act, parameters)}`} scroll={false} className={className}>
      {children}
    </Link>
  );
}
