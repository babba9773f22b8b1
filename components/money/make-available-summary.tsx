import { Amount } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import type { DecryptedFunds } from "@/components/vault/methods/funds";
import { type Decimals, formatAmount } from "@/lib/base/money";
import { toUnits } from "./units";

/** The most notes that one move to the available balance takes in (docs/protocol.md section 5). */
const NOTES_AT_ONCE = 8;

/** What setting an available balance will do. */
interface MakeAvailable {
  kind: "more" | "less" | "same";
  /** How much the available balance changes by, a decimal string. */
  by: string;
  /** How many times the wallet signs: once for each 8 notes. */
  signatures: number;
  /**
   * Whether the whole available balance comes from public deposits, so that its size is known until the first payment.
   */
  known: boolean;
}

/**
 * Returns what setting an available balance to `target` will do. A move to the available balance takes notes first,
 * largest first, then all deposited money.
 */
export function makeAvailableOf(funds: DecryptedFunds, target: string, decimals: Decimals): MakeAvailable {
  const now = toUnits(funds.available, decimals);
  const wanted = toUnits(target, decimals);
  if (wanted === now) return { kind: "same", by: "0", signatures: 0, known: false };
  if (wanted < now) return { kind: "less", by: formatAmount(now - wanted, decimals), signatures: 1, known: false };
  let missing = wanted - now;
  let notes = 0;
  for (const note of funds.notes) {
    if (missing <= 0n) break;
    missing -= toUnits(note, decimals);
    notes++;
  }
  return {
    kind: "more",
    by: formatAmount(wanted - now, decimals),
    signatures: Math.max(1, Math.ceil(notes / NOTES_AT_ONCE)),
    known: notes === 0 && now === 0n,
  };
}

/** Describes a move to the available balance before it is signed. */
export function MakeAvailableSummary({ plan, asset, agent }: { plan: MakeAvailable; asset: string; agent?: string }) {
  const amount = <Amount value={plan.by} asset={asset} className="font-medium" />;
  const who = agent ? `${agent} can` : "You and your API keys can";
  if (plan.kind === "same") return <Callout>Your available balance is already this amount.</Callout>;
  if (plan.kind === "less") {
    return (
      <Callout title={<>Moves {amount} out of available</>}>
        You and your API keys can no longer pay from it: only your wallet can move it. Make it available again at any
        time.
      </Callout>
    );
  }
  return (
    <Callout tone={plan.known ? "warning" : "info"} title={<>Makes {amount} available</>}>
      {who} pay with it from then on.
      {plan.signatures > 1 && ` This takes ${plan.signatures} transactions; your wallet signs each.`}
      {plan.known &&
        " It comes only from public deposits, so anyone can work out your available balance until your first payment."}
    </Callout>
  );
}
