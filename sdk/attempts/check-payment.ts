import { type Address, type Hex, isAddressEqual, parseAbi, parseAbiItem } from "viem";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { SealedTransfer } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { NetworkInfo } from "../api/network-info";
import type { Chain } from "../chain/chain";
import { moneyEvents, readRanges } from "../chain/ledger-events";
import type { Context } from "../context/context";
import { budgetMove } from "./budget-move";
import { isOurs, usesItsId } from "./is-ours";
import { lastDeadline, type PaymentOutcome, type PendingPayment } from "./pending-payment";

/** Where on chain it happened. */
interface Seen {
  tx_hash: Hex;
  block: bigint;
  /** The wallet's own transaction was mined and changed nothing. */
  reverted?: boolean;
}

/** As `PaymentOutcome`, without the service's name for it. `taken`: its payment id was used, by a document not in the record. */
export type ChainOutcome =
  | { outcome: "taken" }
  | Exclude<PaymentOutcome, { outcome: "settled" }>
  | Omit<Extract<PaymentOutcome, { outcome: "settled" }>, "transfer_id">;

/** It happened, as the client's own chain shows. */
export type Settled = Extract<ChainOutcome, { outcome: "settled" }>;

type Finality = NetworkInfo["finality"];

const PAGE = 100;
/** The longest that a signed document may wait for a block, and an hour for clocks that differ. */
const EARLIEST_MS = 25 * 3_600_000;

const tokenAbi = parseAbi(["function authorizationState(address, bytes32) view returns (bool)"]);
const authorizationUsed = parseAbiItem("event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)");

async function seenDeposit(chain: Chain, pending: PendingPayment, newest: bigint): Promise<Seen | null> {
  for (const { tx_hash, authorization } of pending.documents) {
    if (tx_hash) {
      const receipt = await chain.client.getTransactionReceipt({ hash: tx_hash }).catch(() => null);
      if (receipt) return { tx_hash, block: receipt.blockNumber, reverted: receipt.status === "reverted" };
    }
    if (!authorization) continue;
    const args = [pending.account, authorization] as const;
    const token = { address: pending.asset, abi: tokenAbi } as const;
    if (!(await chain.client.readContract({ ...token, functionName: "authorizationState", args }))) continue;
    const used = await readRanges(BigInt(pending.since_block), newest, (fromBlock, toBlock) =>
      chain.client.getLogs({
        address: pending.asset,
        event: authorizationUsed,
        args: { authorizer: pending.account, nonce: authorization },
        fromBlock,
        toBlock,
      }),
    );
    const [log] = used;
    if (log) return { tx_hash: log.transactionHash, block: log.blockNumber };
  }
  return null;
}

/** All moves of the account's money since the attempt began. */
function eventsOf(chain: Chain, { account, since_block }: PendingPayment, newest: bigint) {
  return moneyEvents(chain.client, chain.ledger, account, BigInt(since_block), newest);
}

/**
 * Whether no document can be taken any more: on a final block its deadline has passed, its word was used otherwise, or a later
 * policy has voided it.
 */
function isOver(
  pending: PendingPayment,
  events: readonly MoneyEvent[],
  final: { number: bigint; timestamp: bigint; policyVersion: bigint | null },
) {
  // Of what has no document the chain cannot say that it will not come.
  if (pending.documents.length === 0) return false;
  const known = events.filter((event) => {
    return event.blockNumber <= final.number && isAddressEqual(event.args.asset, pending.asset);
  });
  const gone = new Set(known.map((event) => budgetMove(event, pending.account)?.before));
  return pending.documents.every(({ old_word, deadline, tx_hash, policy_version: version }) => {
    if (tx_hash) return false;
    const isVoid = version !== undefined && final.policyVersion !== null && BigInt(version) < final.policyVersion;
    return isVoid || final.timestamp > BigInt(deadline) || (old_word !== undefined && gone.has(hexToWord(old_word)));
  });
}

/** The payer's policy version on the final block, where a document names one; null when the chain does not say. */
async function finalVersion(chain: Chain, { account, documents }: PendingPayment, finality: Finality) {
  if (!documents.some(({ policy_version }) => policy_version !== undefined)) return null;
  const record = await chain.account(account, finality).catch(() => null);
  return record?.policyVersion ?? null;
}

/** Whether a transfer of the service's list is one of a pending payment's. */
function isListed(entry: SealedTransfer, { account, to, note, payments, payment_id, documents }: PendingPayment) {
  if (!isAddressEqual(entry.account, account) || entry.status === "failed") return false;
  const makes = (one: { to: Address; note: Hex }) => entry.note === one.note && isAddressEqual(entry.recipient, one.to);
  if (payments) return payments.some(makes);
  if (!to) return false;
  if (note) return makes({ to, note });
  const words = documents.some(({ new_word }) => new_word === entry.new_word);
  return words && isAddressEqual(entry.recipient, to) && (entry.payment_id ?? payment_id) === payment_id;
}

/** What the service lists a pending payment as, of a batch each; nothing when it does not list it, or does not respond. */
export async function listedTransfers(context: Context, pending: PendingPayment): Promise<SealedTransfer[]> {
  const { documents, kind, payments } = pending;
  if (kind === "allocation" || kind === "deposit" || documents.length === 0) return [];
  const wanted = payments?.length ?? 1;
  const found: SealedTransfer[] = [];
  // None of them was posted earlier than a day and some minutes before its deadline.
  const from = new Date(1000 * Math.min(...documents.map(({ deadline }) => deadline)) - EARLIEST_MS).toISOString();
  try {
    const session = await context.session();
    for (let last: string | undefined; ; ) {
      const query = { limit: PAGE, starting_after: last, from };
      const page = await session.get<{ transfers: SealedTransfer[]; has_more: boolean }>("/api/transfers", query);
      found.push(...page.transfers.filter((entry) => isListed(entry, pending)));
      last = page.transfers.at(-1)?.transfer_id;
      if (found.length >= wanted || !page.has_more || last === undefined) return found;
    }
  } catch {
    // What it says decides nothing, so its silence does not either.
    return found;
  }
}

/** As `transfers.check`, without asking the service what it calls the transfer. */
export async function chainOutcome(context: Context, pending: PendingPayment): Promise<ChainOutcome> {
  const [chain, scope, info] = await Promise.all([context.chain(), context.scope(), context.info()]);
  if (pending.chain_id !== scope.chainId || !isAddressEqual(pending.ledger, scope.ledger)) {
    throw new HalcyonError("invalid_request", "This pending payment is of another network or ledger.");
  }
  // The final block first: what is read afterwards is at least as new, so nothing falls between the two.
  const final = await chain.client.getBlock({ blockTag: info.finality });
  const newest = await chain.client.getBlockNumber();
  const [events, policyVersion] = await Promise.all([
    pending.kind === "deposit" ? [] : eventsOf(chain, pending, newest),
    finalVersion(chain, pending, info.finality),
  ]);
  const ours = events.find((event) => isOurs(event, pending));
  const seen: Seen | null = ours
    ? { tx_hash: ours.transactionHash, block: ours.blockNumber }
    : await seenDeposit(chain, pending, newest);
  const isFinal = seen !== null && seen.block <= final.number;
  if (seen?.reverted) return isFinal ? { outcome: "nothing_moved" } : { outcome: "open", until: null };
  if (seen) return { outcome: "settled", tx_hash: seen.tx_hash, final: isFinal };
  // Not by a document the record knows: one of an earlier process, or of someone else who may sign.
  if (events.some((event) => usesItsId(event, pending))) return { outcome: "taken" };
  if (isOver(pending, events, { ...final, policyVersion })) return { outcome: "nothing_moved" };
  return { outcome: "open", until: lastDeadline(pending)?.toISOString() ?? null };
}

/**
 * What the chain shows of a pending payment. Reads the chain alone, over the client's own RPC where it has one, and needs no
 * keys; only `transfer_id` comes from the service.
 *
 * @example
 * const outcome = await halcyon.transfers.check(JSON.parse(kept));
 * // { outcome: "settled", tx_hash: "0x…", final: true, transfer_id: "tr_…" }, { outcome: "nothing_moved" } or
 * // { outcome: "open", until: "2026-01-31T12:05:00.000Z" }
 * @throws HalcyonError `invalid_request` for a record of another ledger, `idempotency_mismatch` when its
 * payment id was used otherwise, `unavailable` when the chain does not respond
 */
export async function checkPayment(context: Context, pending: PendingPayment): Promise<PaymentOutcome> {
  const shown = await chainOutcome(context, pending);
  if (shown.outcome === "taken") {
    throw new HalcyonError(
      "idempotency_mismatch",
      "Another payment has used up this one's id, so it can't happen. Look at your transfers before you pay again.",
    );
  }
  if (shown.outcome !== "settled") return shown;
  return { ...shown, transfer_id: (await listedTransfers(context, pending))[0]?.transfer_id ?? null };
}
