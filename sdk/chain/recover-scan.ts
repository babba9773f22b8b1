import type { Address } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { EMPTY_AVAILABLE } from "@/lib/ledger/crypto/commitments";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { type AccountHistory, type AssetHistory, newHistory } from "@/lib/ledger/history/account-history";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import { HalcyonError } from "../api/errors";
import type { Chain } from "./chain";
import { moneyEvents, readRanges } from "./ledger-events";

/** The account or one of its agents, with all its money according to the chain alone. */
export interface Holder {
  address: Address;
  history: AccountHistory;
  /** The first block that is not read yet. */
  nextBlock: bigint;
}

/** Returns a holder of whom nothing is read yet. */
export const unread = (address: Address, nextBlock: bigint): Holder => ({ address, history: newHistory(), nextBlock });

/**
 * Returns the encrypted account key from an account's only `Enrolled` event.
 *
 * @throws HalcyonError `not_found` when there is none
 */
export async function findEncryptedAccountKey(chain: Chain, account: Address, from: bigint) {
  const newest = await chain.client.getBlockNumber();
  const query = {
    address: chain.ledger,
    abi: ledgerAbi,
    eventName: "Enrolled",
    args: { account },
    strict: true,
  } as const;
  const events = await readRanges(chain.client, from, newest, (fromBlock, toBlock) =>
    chain.client.getContractEvents({ ...query, fromBlock, toBlock }),
  );
  const encrypted = events[0]?.args.encryptedAccountKey;
  if (encrypted) return encrypted;
  throw new HalcyonError(
    "not_found",
    "This wallet is not enrolled on that ledger. Check the ledger and the wallet key.",
  );
}

/** Returns the agents that the account has enrolled. */
export async function findAgents(chain: Chain, owner: Address, from: bigint): Promise<Address[]> {
  const newest = await chain.client.getBlockNumber();
  const query = {
    address: chain.ledger,
    abi: ledgerAbi,
    eventName: "AgentEnrolled",
    args: { owner },
    strict: true,
  } as const;
  const events = await readRanges(chain.client, from, newest, (fromBlock, toBlock) =>
    chain.client.getContractEvents({ ...query, fromBlock, toBlock }),
  );
  return events.map(({ args }) => args.agent);
}

/** Returns every payment key the account ever had, oldest first. */
export async function findPaymentKeys(chain: Chain, account: Address, from: bigint): Promise<Address[]> {
  const newest = await chain.client.getBlockNumber();
  const query = { address: chain.ledger, abi: ledgerAbi, args: { account }, strict: true } as const;
  const events = await readRanges<{ args: { paymentKey: Address } }>(
    chain.client,
    from,
    newest,
    async (fromBlock, toBlock) => {
      const range = { ...query, fromBlock, toBlock };
      const [enrolled, set] = await Promise.all([
        chain.client.getContractEvents({ ...range, eventName: "Enrolled" }),
        chain.client.getContractEvents({ ...range, eventName: "PaymentKeySet" }),
      ]);
      return [...enrolled, ...set];
    },
  );
  return events.map(({ args }) => args.paymentKey);
}

/**
 * Continues reading from `holder.nextBlock`.
 *
 * @param last the last block to read; default: the newest
 */
export async function readOn(
  chain: Chain,
  scope: Scope,
  viewingSecret: Uint8Array,
  holder: Holder,
  last?: bigint,
): Promise<void> {
  const newest = last ?? (await chain.client.getBlockNumber());
  if (newest < holder.nextBlock) return;
  const events = await moneyEvents(chain.client, chain.ledger, holder.address, holder.nextBlock, newest);
  await foldHistory(scope, holder.address, viewingSecret, events, holder.history);
  holder.nextBlock = newest + 1n;
}

/**
 * Returns the total of one asset that can be decrypted, in units: deposited money, unspent notes and available balance.
 */
export function totalOf(held: AssetHistory): bigint {
  let total = held.deposited + (held.available?.limit ?? 0n);
  for (const { spent, opening } of held.notes.values()) if (!spent && opening) total += opening.amount;
  return total;
}

/**
 * Reports whether a note or the available balance of this asset can't be decrypted. A stranger may have encrypted a
 * note wrongly.
 */
export function hasUnreadable(held: AssetHistory): boolean {
  const note = [...held.notes.values()].some(({ spent, opening }) => !spent && !opening);
  return note || (held.available === null && held.commitment !== EMPTY_AVAILABLE);
}
