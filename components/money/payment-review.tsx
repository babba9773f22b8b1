import type { ReactNode } from "react";
import { Amount, type Opened } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import { FullAddress } from "@/components/ui/full-address";
import { type Decimals, formatAmount } from "@/lib/money";
import { unitsOf } from "./units";

/** A payment as it is shown once more before it is made. */
export interface Reviewed {
  amount: string;
  asset: string;
  decimals: Decimals;
  /** Whose budget it is paid from. */
  from: string;
  /** The recipient as it was typed; left out where that is the address itself. */
  handle?: string;
  /** In full; left out between own budgets, where there is no choice. */
  address?: string;
  /** Recipient and payer are budgets of one account. */
  between?: true;
  /** The account's own, as the chain has it. */
  own?: "account" | "agent" | null;
  /** No one paid this from this browser before. */
  isNew?: boolean;
  memo?: string;
  /** Everyone can see it on chain. */
  isPublic?: boolean;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 px-3.5 py-2.5 sm:grid-cols-[4.5rem_minmax(0,1fr)] sm:items-baseline">
      <dt className="text-muted text-xs sm:text-sm">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** What stays in the budget; undefined while that is not known. */
function leftOf({ amount, decimals }: Reviewed, budget: Opened): string | undefined {
  if (budget === undefined || budget === null) return undefined;
  const left = unitsOf(budget, decimals) - unitsOf(amount, decimals);
  return left < 0n ? undefined : formatAmount(left, decimals);
}

/**
 * How much goes to whom, to the last digit.
 *
 * @param budget what it is paid from, before it
 * @param asking it is not being paid yet: what helps to decide is shown
 */
export function PaymentReview({ of, budget, asking }: { of: Reviewed; budget?: Opened; asking: boolean }) {
  const { amount, asset, from, handle, address, between, own, isNew, memo, isPublic } = of;
  const left = asking ? leftOf(of, budget) : undefined;
  return (
    <div className="grid gap-4 text-sm">
      <div className="grid gap-1 pt-1">
        <p className="wrap-anywhere font-semibold text-3xl tracking-tight">
          <Amount value={amount} asset={asset} className="whitespace-normal!" />
        </p>
        <p className="text-muted">
          From {from}
          {left !== undefined && (
            <>
              {" · "}
              <Amount value={left} asset={asset} /> left after this
            </>
          )}
        </p>
      </div>
      <dl className="divide-y divide-line rounded-lg border border-line">
        <Fact name="To">
          {handle && <span className="wrap-anywhere block font-medium">{handle}</span>}
          {address && <FullAddress value={address} className={handle ? "text-muted" : undefined} />}
          {between && (
            <span className="block text-muted text-xs">Between your own balances; you can move it back.</span>
          )}
          {own === "agent" && <span className="block text-muted text-xs">Your own agent.</span>}
          {own === "account" && <span className="block text-muted text-xs">Your own account's wallet.</span>}
        </Fact>
        {memo && (
          <Fact name="Memo">
            <span className="wrap-anywhere whitespace-pre-wrap">{memo}</span>
          </Fact>
        )}
        {isPublic && <Fact name="On chain">Public: anyone can see this amount and both addresses.</Fact>}
      </dl>
      {asking && isNew && (
        <Callout tone="warning" title="New recipient">
          You have not paid this address from this browser before. Compare all of it with what the recipient gave you.
        </Callout>
      )}
    </div>
  );
}
