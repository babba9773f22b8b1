import type { Address } from "viem";
import { UnsealFailed } from "@/lib/ledger/errors";
import { formatAmount } from "@/lib/money";
import type { Context } from "@/sdk/context";
import { openHeldPayment, type SealedHeldText } from "@/sdk/held";

export interface HeldInput {
  held: SealedHeldText;
  /** Address of the agent that asked. */
  agent: Address;
}

/** What an agent asked for. All null: the text does not open, so its agent did not write it so. */
export interface OpenedHeld {
  /** Decimal string. */
  amount: string | null;
  /** Null also where there is none. */
  memo: string | null;
  /** Whom the recipient's name stood for when the agent asked. */
  recipient: Address | null;
}

/** Opens what an agent asked for over its threshold, from the sealed text alone. */
export async function held(context: Context, { held: entry, agent }: HeldInput): Promise<OpenedHeld> {
  try {
    const { amount, memo = null, to } = await openHeldPayment(context, entry, agent);
    const { decimals } = await context.asset(entry.asset);
    return { amount: formatAmount(amount, decimals), memo, recipient: to };
  } catch (thrown) {
    if (thrown instanceof UnsealFailed) return { amount: null, memo: null, recipient: null };
    throw thrown;
  }
}
