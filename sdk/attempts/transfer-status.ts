import { isAddressEqual } from "viem";
import { HalcyonError } from "../api/errors";
import type { Transfer } from "../api/resources";
import type { Context } from "../context/context";
import { poll } from "../context/operation";

/**
 * A payment with the status reached on chain. `transfer_id` and `created_at` are null when the chain shows the payment and the
 * service does not name it.
 */
export type SettledTransfer = Pick<Transfer, "status" | "to" | "confidential" | "tx_hash"> & {
  transfer_id: string | null;
  created_at: string | null;
};

async function readByKey(context: Context, id: string): Promise<Transfer> {
  const answer = await context.http.send("GET", `/v1/transfers/${id}`, { headers: context.bearer });
  return answer.body as Transfer;
}

async function readBySession(context: Context, id: string): Promise<Transfer> {
  const session = await context.session();
  const { transfers } = await session.get<{ transfers: Transfer[] }>("/api/transfers", { limit: 100 });
  const found = transfers.find((transfer) => transfer.transfer_id === id);
  if (!found) throw new HalcyonError("not_found", `The service does not list transfer ${id}.`);
  return found;
}

/** A transfer as the service has it now, read by the API key or the wallet's session. */
export function readTransfer(context: Context, id: string, by: "key" | "session"): Promise<Transfer> {
  return by === "key" ? readByKey(context, id) : readBySession(context, id);
}

/** Whether a transaction of the ledger went through, as the client's chain shows; null when it cannot tell. */
async function isMined(context: Context, hash: Transfer["tx_hash"]): Promise<boolean | null> {
  try {
    const chain = await context.chain();
    const { status, logs } = await chain.client.getTransactionReceipt({ hash });
    return status === "success" && logs.some(({ address }) => isAddressEqual(address, chain.ledger));
  } catch {
    return null;
  }
}

/**
 * Waits until a plain payment, which the service makes, is final. Its `failed` is compared with the chain, and so is its
 * `confirmed` where the client has an RPC of its own.
 *
 * @throws HalcyonError `unavailable` when it failed: no money moved; or when the chain shows otherwise than the service says
 */
export async function settled(context: Context, id: string): Promise<SettledTransfer> {
  const final = await poll("The transfer", async () => {
    const now = await readByKey(context, id);
    return now.status === "pending" ? undefined : now;
  });
  const { transfer_id, to, confidential, tx_hash, created_at } = final;
  const made = { transfer_id, status: "confirmed" as const, to, confidential, tx_hash, created_at };
  if (final.status === "failed") {
    // Only what the chain shows is believed against money: a failure that was mined is none.
    if (await isMined(context, tx_hash)) return made;
    throw new HalcyonError("unavailable", `Transfer ${id} failed; no money moved. Send it again.`);
  }
  if (context.hasOwnRpc && (await isMined(context, tx_hash)) === false) {
    throw new HalcyonError(
      "unavailable",
      `The service calls transfer ${id} confirmed, but your chain does not show it. Do not send it again; ask the service.`,
    );
  }
  return made;
}
