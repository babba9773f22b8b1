import type { Address } from "viem";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { TransferWithCopies } from "../../api/api-types";
import type { NetworkInfo } from "../../api/network-info";
import type { Chain } from "../../chain/chain";
import { moneyEvents } from "../../chain/ledger-events";
import { isIn, type Listed, type OnChain } from "./on-chain";

/**
 * Returns status and transaction of a transfer of which the service says that it has failed. If the ledger shows it all
 * the same, it is `confirmed` or `pending`: otherwise its payer would pay again.
 */
export async function statusOnChain(
  chain: Chain,
  onChain: OnChain,
  entry: Listed & Pick<TransferWithCopies, "status">,
  asset: Address,
  finality: NetworkInfo["finality"],
): Promise<Pick<TransferWithCopies, "status" | "tx_hash">> {
  const { status, tx_hash } = entry;
  const named = tx_hash ? await onChain.blockOf(entry, asset) : null;
  const found =
    named === null ? await findEvent(chain, entry, asset) : { blockNumber: named, transactionHash: tx_hash };
  if (!found) return { status, tx_hash };
  const final = await chain.client.getBlock({ blockTag: finality });
  return { status: found.blockNumber <= final.number ? "confirmed" : "pending", tx_hash: found.transactionHash };
}

/** Finds the event of a transfer whose transaction is not known, or is not the one that the service names. */
async function findEvent(chain: Chain, entry: Listed, asset: Address): Promise<MoneyEvent | undefined> {
  const { account, recipient, note } = entry;
  // The ledger takes a note once: without it the payment has not settled, so that most need no more than this.
  if (note !== null && (await chain.noteStatus(recipient, asset, hexToCommitment(note))) === 0) return undefined;
  const [newest, { enrolledBlock }] = await Promise.all([chain.client.getBlockNumber(), chain.account(account)]);
  const byTransaction = new Map<string, MoneyEvent[]>();
  for (const event of await moneyEvents(chain.client, chain.ledger, account, enrolledBlock, newest)) {
    byTransaction.set(event.transactionHash, [...(byTransaction.get(event.transactionHash) ?? []), event]);
  }
  return [...byTransaction.values()].find((events) => isIn(events, entry, asset))?.[0];
}
