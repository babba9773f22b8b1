import type { ReactNode } from "react";
import { Amount, type DecryptedAmount } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import { FullAddress } from "@/components/ui/full-address";
import type { Decimals } from "@/lib/base/money";
import { leftAfter } from "./units";

/** A payment as shown for review before it is made. */
export interface Reviewed {
  amount: string;
  asset: string;
  decimals: Decimals;
  /** Whose balance pays. */
  from: string;
  /** The recipient as typed; left out if that is the address itself. */
  handle?: string;
  /** The full address; left out between the owner's own balances, where there is no choice. */
  address?: string;
  /** Set if payer and recipient are balances of one account. */
  between?: true;
  /** Whether the recipient is the account itself or one of its agents, according to the chain. */
  own?: "account" | "agent" | null;
  /** Whether this browser has never paid this recipient. */
  isNew?: boolean;
  memo?: string;
  /** Whether anyone can see it on chain. */
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

/**
 * Shows the full amount and recipient of a payment.
 *
 * @param available the available balance before the payment
 * @param asking whether the person still has to decide; shows what helps to decide
 */
export function PaymentReview({
  of,
  available,
  asking,
}: {
  of: Reviewed;
  available?: DecryptedAmount;
  asking: boolean;
}) {
  const { amount, asset, decimals, from, handle, address, between, own, isNew, memo, isPublic } = of;
  const left = asking ? leftAfter(amount, available, decimals) : undefined;
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
            <span dir="auto" className="wrap-anywhere block whitespace-pre-wrap text-left">
              {memo}
            </span>
          </Fact>
        )}
        {isPublic && <Fact name="On chain">Public: anyone can see this amount and both addresses.</Fact>}
      </dl>
      {asking && isNew && (
        <Callout tone="warning" title="New in this browser">
          You have not paid this address from here before. Compare all of it with what the recipient gave you.
        </Callout>
      )}
    </div>
  );
}
