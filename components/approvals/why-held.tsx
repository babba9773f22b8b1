import { Amount } from "@/components/ui/amount";
import { Skeleton } from "@/components/ui/skeleton";
import { WrittenHours } from "@/components/ui/written-hours";
import { policyInWords } from "@/lib/policy/in-words";
import { type HeldDetails, isOwnersPayment } from "./held-payment";
import { boundsOf, isOverDay, whyHeld } from "./threshold";
import type { Checks } from "./use-checks";
import type { HeldContent } from "./use-held";

/**
 * Shows which rule held the payment, compared with its amount in this browser, and the whole policy in one sentence.
 */
export function WhyHeld({
  held,
  opened,
  checks,
}: {
  held: Pick<HeldDetails, "agent" | "asset">;
  opened: HeldContent;
  checks: Pick<Checks, "policy" | "spending">;
}) {
  const { policy, spending } = checks;
  const { asset } = held;
  if (!policy) return <Skeleton className="h-24 w-full rounded-lg!" />;
  const { threshold, daily } = boundsOf(policy, asset);
  const amount = opened.content?.amount;
  return (
    <section aria-label="Why you are asked" className="rounded-lg bg-sunken px-3.5 py-3 text-sm">
      <h3 className="font-medium">Why you are asked</h3>
      <p className="mt-1 text-pretty">
        <Reason own={isOwnersPayment(held)} amount={amount} threshold={threshold} asset={asset} />
      </p>
      {amount && spending && isOverDay(amount, spending.spent, daily, asset) && (
        <p className="mt-1 text-pretty text-warning">
          {isOwnersPayment(held)
            ? "It exceeds what your keys may spend today. If you approve it, it is paid anyway: your wallet signs it."
            : "It exceeds what the agent may spend today, so the chain refuses it. Raise its daily limit, or wait for tomorrow."}
        </p>
      )}
      <p className="mt-1.5 text-pretty text-muted text-xs">
        {isOwnersPayment(held) ? "The limits of your keys" : "Its policy"}:{" "}
        <WrittenHours>{policyInWords(policy)}</WrittenHours>
      </p>
    </section>
  );
}

function Reason({
  own,
  amount,
  threshold,
  asset,
}: {
  own: boolean;
  amount: string | null | undefined;
  threshold: string;
  asset: string;
}) {
  const payer = own ? "your keys pay without your wallet" : "this agent pays without asking";
  const bound = <Amount value={threshold} asset={asset} />;
  const why = amount ? whyHeld(amount, threshold, asset) : threshold === "0" ? "always" : "above";
  if (why === "always") return <>{own ? "Your wallet signs every payment." : "This agent asks for every payment."}</>;
  if (why === "changed") {
    return (
      <>
        The policy has changed since: {bound} is now the most {payer}. This one still waits for you.
      </>
    );
  }
  if (!amount) {
    return (
      <>
        It is above {bound}, the most {payer}.
      </>
    );
  }
  return (
    <>
      <Amount value={amount} asset={asset} /> is above {bound}, the most {payer}.
    </>
  );
}
