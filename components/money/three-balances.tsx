import { ArrowDown, ArrowRight } from "lucide-react";
import type { ReactNode } from "react";

function Balance({ name, says, main = false }: { name: string; says: string; main?: boolean }) {
  return (
    <span
      className={
        main
          ? "grid content-center gap-0.5 rounded-lg border border-accent bg-accent-soft px-3.5 py-3"
          : "grid content-center gap-0.5 rounded-lg border border-line bg-raised px-3.5 py-2.5"
      }
    >
      <span className="font-medium text-ink">{name}</span>
      <span className="text-pretty text-muted text-xs">{says}</span>
    </span>
  );
}

function Flow({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-muted text-xs max-sm:justify-center sm:flex-col sm:justify-center">
      <span>{children}</span>
      <ArrowRight size={16} aria-hidden="true" className="text-faint max-sm:hidden" />
      <ArrowDown size={16} aria-hidden="true" className="text-faint sm:hidden" />
    </span>
  );
}

/** A picture of the three balances for newcomers: how money moves between them, and who sees and moves it. */
export function ThreeBalances() {
  return (
    <figure className="grid gap-2 rounded-xl bg-sunken p-3 sm:grid-cols-[minmax(0,1fr)_5.5rem_minmax(0,1fr)_4rem_minmax(0,5rem)] sm:p-4">
      <figcaption className="sr-only">
        Deposited money, which is public, and received money, which is encrypted, are made available by your wallet. You
        and your API keys pay from the available balance, which is encrypted.
      </figcaption>
      <span className="grid gap-2 max-sm:grid-cols-2">
        <Balance name="Deposited" says="From your wallet. Public." />
        <Balance name="Received" says="Paid to you. Encrypted." />
      </span>
      <Flow>your wallet signs</Flow>
      <Balance main name="Available" says="You and your API keys pay from it, and from nothing else. Encrypted." />
      <Flow>pay</Flow>
      <Balance name="Others" says="See no amount but their own." />
    </figure>
  );
}
