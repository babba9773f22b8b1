import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { poll } from "./operation";
import type { Transfer } from "./resources";

/** What the API answers of a payment, with the status reached on chain. */
export type SettledTransfer = Pick<
  Transfer,
  "transfer_id" | "status" | "to" | "confidential" | "tx_hash" | "created_at"
>;

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

/**
 * Waits until a transfer is final on chain.
 *
 * @param by who made it: the API key, or the wallet's session
 * @throws HalcyonError `unavailable` when it failed: no money moved
 */
export async function settled(context: Context, id: string, by: "key" | "session"): Promise<SettledTransfer> {
  const read = by === "key" ? readByKey : readBySession;
  const final = await poll("The transfer", async () => {
    const now = await read(context, id);
    return now.status === "pending" ? undefined : now;
  });
  if (final.status === "failed") {
    throw new HalcyonError("unavailable", `Transfer ${id} failed; no money moved. Send it again.`);
  }
  const { transfer_id, status, to, confidential, tx_hash, created_at } = final;
  return { transfer_id, status, to, confidential, tx_hash, created_at };
}
