"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Link } from "@/components/ui/link";

/** The names of dialogs in the address of the overview and the balances: `?do=send`. */
export type Act = "send" | "make-available" | "withdraw" | "deposit" | "add-funds" | "abandon" | "prove-funds";

/** Returns the query string that opens a dialog. */
export function doHref(act: Act, parameters: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams({ do: act });
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value);
  return `?${search}`;
}

/**
 * A link that opens a dialog from anywhere: over the balances if they are on screen, otherwise over the overview. It
 * navigates with the router. With history.pushState the address would differ from what the server renders at the next
 * refresh, which would then reload the page and lock the vault.
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
