import type { TransferWithCopies } from "@/sdk/api/api-types";
import { HalcyonError } from "@/sdk/api/errors";
import type { Context } from "@/sdk/context/context";
import { readTransfers } from "@/sdk/payments/transfers/encrypted-transfers";
import { TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";

/** The most payments to decrypt, newest first. */
const PAST_PAYMENTS = 100;

/** A past payment of an agent, as a policy sees it. */
export interface PastPayment {
  transfer_id: string;
  created_at: string;
  /** The recipient as written in the payment. */
  to: string;
  /** Without `@`; null if the address has no account. */
  handle: string | null;
  /** Lower case. For a payment through a one-time address, the seller's address. */
  address: string;
  /** Whether it went through a one-time address, to a seller that only takes public payments. */
  isExact?: boolean;
  asset: string;
  /** Decimal string; null if it can't be decrypted. */
  amount: string | null;
}

type Entry = Pick<TransferWithCopies, "to" | "recipient">;

const addressOf = ({ to, recipient }: Entry) => (to.startsWith("0x") ? to : recipient).toLowerCase();

/** Looks up the handles of payments written to an address, because a policy may name a recipient either way. */
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

/** Decrypts the newest payments that an agent made under its policy. Oldest first, without failed ones. */
export async function pastPayments(context: Context, { agent }: { agent: string }): Promise<PastPayment[]> {
  const opener = await TransferDecrypter.of(context);
  const query = { agent, direction: "sent", limit: PAST_PAYMENTS };
  const { transfers } = await readTransfers(context, query);
  // Moves between the agent and its owner are not subject to the policy.
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
