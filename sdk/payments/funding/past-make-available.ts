import { type Hex, isAddressEqual } from "viem";
import { EMPTY_NOTE } from "@/lib/ledger/crypto/commitments";
import type { AccountHistory } from "@/lib/ledger/history/account-history";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import type { Party } from "../../account/party";
import type { Asset } from "../../api/network-info";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";

/** A move's effect, as the chain shows it. */
export interface PastMakeAvailable {
  /** Number of notes it used. */
  notes: number;
  /** The available balance it started from, and by how much the available balance grew. In units. */
  before: bigint;
  added: bigint;
}

/**
 * Reads from the chain what a move to the available balance of an earlier process did. When a goal takes several moves
 * to the available balance, this shows how much is left to do.
 *
 * @returns null when the available balance before or after it can't be decrypted
 */
export async function pastMakeAvailable(
  context: Context,
  party: Party,
  asset: Asset,
  txHash: Hex,
): Promise<PastMakeAvailable | null> {
  const [chain, scope, { viewingKey }] = await Promise.all([context.chain(), context.scope(), context.vault()]);
  const { blockNumber } = await chain.client.getTransactionReceipt({ hash: txHash });
  const { enrolledBlock } = await chain.account(party.address);
  const events = await moneyEvents(chain.client, chain.ledger, party.address, enrolledBlock, blockNumber);
  const event = events.find(
    (one) =>
      one.eventName === "MadeAvailable" &&
      one.transactionHash === txHash &&
      isAddressEqual(one.args.asset, asset.address),
  );
  if (event?.eventName !== "MadeAvailable") return null;
  const isBefore = (one: typeof event | (typeof events)[number]) =>
    one.blockNumber < event.blockNumber || (one.blockNumber === event.blockNumber && one.logIndex < event.logIndex);
  const limitAfter = (history: AccountHistory) => {
    const held = history.assets.get(asset.address);
    return held ? (held.available?.limit ?? null) : 0n;
  };
  const fold = (some: typeof events) => foldHistory(scope, party.address, viewingKey.secret, some);
  const before = limitAfter(await fold(events.filter(isBefore)));
  const after = limitAfter(await fold(events.filter((one) => isBefore(one) || one === event)));
  if (before === null || after === null) return null;
  const notes = event.args.notes.filter((note) => note !== EMPTY_NOTE).length;
  return { notes, before, added: after > before ? after - before : 0n };
}
