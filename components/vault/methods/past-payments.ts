import type { SealedTransfer } from "@/sdk/api/api-types";
import { HalcyonError } from "@/sdk/api/errors";
import type { Context } from "@/sdk/context/context";
import { TransferOpener } from "@/sdk/transfers/transfer-opener";

/** So many of the newest are decrypted at most. */
export const PAST_PAYMENTS = 100;

/** A payment an agent has made, as a policy sees it. */
export interface PastPayment {
  transfer_id: string;
  created_at: string;
  /** As the payment named its recipient. */
  to: string;
  /** Without `@`; null for an address without an account. */
  handle: string | null;
  /** Lower case. Of a payment through a one-time address the seller's. */
  address: string;
  /** It went through a one-time address, to a seller that takes public payments only. */
  isExact?: boolean;
  asset: string;
  /** Decimal string; null when it can't be decrypted. */
  amount: string | null;
}

type Entry = Pick<SealedTransfer, "to" | "recipient">;

const addressOf = ({ to, recipient }: Entry) => (to.startsWith("0x") ? to : recipient).toLowerCase();

/** The handles behind payments that were written to an address: a policy may name them by either. */
async function handlesOf(context: Context, entries: readonly Entry[]): Promise<Map<string, string | null>> {
  const session = await context.session();
  const addresses = new Set(entries.filter(({ to }) => !to.startsWith("@")).map(addressOf));
  const found = [...addresses].map(async (address): Promise<[string, string | null]> => {
    try {
      const { handle } = await session.get<{ handle: string | null }>("/api/accounts/resolve", { to: address });
      return [address, handle?.replace(/^@/, "") ?? null];
    } catch (error) {
      if (error instanceof HalcyonError && error.code === "recipient_not_found") return [address, null];
      throw error;
    }
  });
  return new Map(await Promise.all(found));
}

/** The newest payments an agent has made under its policy, decrypted here; oldest first. What failed moved nothing. */
export async function pastPayments(context: Context, { agent }: { agent: string }): Promise<PastPayment[]> {
  const [session, opener] = await Promise.all([context.session(), TransferOpener.of(context)]);
  const query = { agent, direction: "sent", limit: PAST_PAYMENTS };
  const { transfers } = await session.get<{ transfers: SealedTransfer[] }>("/api/transfers", query);
  // What moved between the agent and its owner is under no policy.
  const entries = transfers.filter(({ kind, status }) => kind !== "fund" && status !== "failed").reverse();
  const handles = await handlesOf(context, entries);
  return Promise.all(
    entries.map(async (entry) => ({
      transfer_id: entry.transfer_id,
      created_at: entry.created_at,
      to: entry.to,
      handle: entry.to.startsWith("@") ? entry.to.slice(1).toLowerCase() : (handles.get(addressOf(entry)) ?? null),
      address: addressOf(entry),
      isExact: addressOf(entry) !== entry.recipient.toLowerCase(),
      asset: entry.asset,
      amount: (await opener.content(entry)).amount,
    })),
  );
}
