import { type Address, type Hex, isAddressEqual, parseAbi, type TransactionReceipt, zeroAddress } from "viem";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { decodeLedgerLog, type LedgerLog, type MoneyEvent } from "@/lib/ledger/ledger-events";
import type { TransferWithCopies } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { NetworkInfo } from "../../api/network-info";
import type { Chain } from "../../chain/chain";
import { moneyEvents, readRanges } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import { readTransfers } from "../transfers/encrypted-transfers";
import { availableMove } from "./available-move";
import { isOurs, usesItsId } from "./is-ours";
import { lastDeadline, type PaymentOutcome, type PendingPayment } from "./pending-payment";

/** Where the payment appears on chain: its event, or the receipt of the wallet's own transaction. */
interface Seen {
  transactionHash: Hex;
  blockNumber: bigint;
  status?: TransactionReceipt["status"];
}

/**
 * Like `PaymentOutcome`, without the service's transfer id. `taken`: the payment id was used by a document that is not
 * in the record.
 */
export type ChainOutcome =
  | { outcome: "taken" }
  | Exclude<PaymentOutcome, { outcome: "settled" }>
  | Omit<Extract<PaymentOutcome, { outcome: "settled" }>, "transfer_id">;

/** The payment happened, according to the client's own chain. */
export type Settled = Extract<ChainOutcome, { outcome: "settled" }>;

type Finality = NetworkInfo["finality"];

const PAGE = 100;
/** The longest time a signed document can wait for a block, plus an hour for clock differences. */
const EARLIEST_MS = 25 * 3_600_000;

const tokenAbi = parseAbi([
  "function authorizationState(address, bytes32) view returns (bool)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
]);

/** The first block that has to be searched for an open deposit of ETH, by its mark: all earlier ones are final. */
const unsearched = new Map<Hex, bigint>();

async function seenDeposit(chain: Chain, pending: PendingPayment, newest: bigint, final: bigint): Promise<Seen | null> {
  for (const { tx_hash, authorization } of pending.documents) {
    const receipt = tx_hash && (await chain.client.getTransactionReceipt({ hash: tx_hash }).catch(() => null));
    if (receipt) {
      // A contract wallet's transaction can succeed although its call of the ledger failed.
      const deposited = receipt.logs.some((log) => {
        const event = isAddressEqual(log.address, chain.ledger) && decodeLedgerLog(log as unknown as LedgerLog);
        return event && event.eventName === "Deposited" && isAddressEqual(event.args.account, pending.account);
      });
      if (deposited || receipt.status === "reverted" || !authorization) return receipt;
    }
    if (!authorization) continue;
    if (pending.asset === zeroAddress) {
      const from = unsearched.get(authorization) ?? BigInt(pending.since_block);
      const events = await eventsOf(chain, pending, newest, from);
      let next = final + 1n;
      for (const event of events) {
        if (event.eventName !== "Deposited") continue;
        const { transactionHash: hash, blockNumber: block } = event;
        const transaction = await chain.client.request({ method: "eth_getTransactionByHash", params: [hash] });
        // Not only at the end: a contract wallet wraps the call.
        if (transaction?.input.includes(authorization.slice(2))) return event;
        if (!transaction && block < next) next = block;
      }
      if (next > from) unsearched.set(authorization, next);
      continue;
    }
    const isUsed = await chain.client.readContract({
      address: pending.asset,
      abi: tokenAbi,
      functionName: "authorizationState",
      args: [pending.account, authorization],
    });
    if (!isUsed) continue;
    const [log] = await readRanges(chain.client, BigInt(pending.since_block), newest, (fromBlock, toBlock) =>
      chain.client.getLogs({
        address: pending.asset,
        event: tokenAbi[1],
        args: { authorizer: pending.account, nonce: authorization },
        fromBlock,
        toBlock,
      }),
    );
    if (log) return log;
  }
  return null;
}

/** Returns all movements of the account's money since the attempt began, or in and after a given block. */
function eventsOf(chain: Chain, { account, since_block }: PendingPayment, newest: bigint, from = BigInt(since_block)) {
  return moneyEvents(chain.client, chain.ledger, account, from, newest);
}

/**
 * Reports whether the chain can't accept any of the documents any more: as of a final block, each document's deadline
 * has passed, its available balance commitment was used by something else, or a later policy has voided it.
 */
function isOver(
  pending: PendingPayment,
  events: readonly MoneyEvent[],
  final: { number: bigint; timestamp: bigint; policyVersion: bigint | null },
) {
  // Without a document, the chain can't rule out that the payment still happens.
  if (pending.documents.length === 0) return false;
  const known = events.filter((event) => {
    return event.blockNumber <= final.number && isAddressEqual(event.args.asset, pending.asset);
  });
  const gone = new Set(known.map((event) => availableMove(event, pending.account)?.before));
  return pending.documents.every(({ old_commitment, deadline, policy_version: version }) => {
    if (deadline === 0) return false;
    const isVoid = version !== undefined && final.policyVersion !== null && BigInt(version) < final.policyVersion;
    return (
      isVoid ||
      final.timestamp > BigInt(deadline) ||
      (old_commitment !== undefined && gone.has(hexToCommitment(old_commitment)))
    );
  });
}

/**
 * Returns the payer's policy version on the final block, if a document names one; null when the chain doesn't show it.
 */
async function finalVersion(chain: Chain, { account, documents }: PendingPayment, finality: Finality) {
  if (!documents.some(({ policy_version }) => policy_version !== undefined)) return null;
  const record = await chain.account(account, finality).catch(() => null);
  return record?.policyVersion ?? null;
}

/** Reports whether an entry of the service's list belongs to a pending payment. */
function isListed(entry: TransferWithCopies, { account, to, note, payments, payment_id, documents }: PendingPayment) {
  if (!isAddressEqual(entry.account, account) || entry.status === "failed") return false;
  const makes = (one: { to: Address; note: Hex }) => entry.note === one.note && isAddressEqual(entry.recipient, one.to);
  if (payments) return payments.some(makes);
  if (!to) return false;
  if (note) return makes({ to, note });
  const commitments = documents.some(({ new_commitment }) => new_commitment === entry.new_commitment);
  return commitments && isAddressEqual(entry.recipient, to) && (entry.payment_id ?? payment_id) === payment_id;
}

/**
 * Returns the service's entries for a pending payment: one for each payment of a batch, none if the service doesn't
 * list it or doesn't respond.
 */
export async function listedTransfers(context: Context, pending: PendingPayment): Promise<TransferWithCopies[]> {
  const { documents, kind, payments } = pending;
  if (kind === "make_available" || kind === "deposit" || documents.length === 0) return [];
  const wanted = payments?.length ?? 1;
  const found: TransferWithCopies[] = [];
  // No document was posted earlier than a day and some minutes before its deadline.
  const from = new Date(1000 * Math.min(...documents.map(({ deadline }) => deadline)) - EARLIEST_MS).toISOString();
  try {
    for (let last: string | undefined; ; ) {
      const query = { limit: PAGE, starting_after: last, from };
      const page = await readTransfers(context, query);
      found.push(...page.transfers.filter((entry) => isListed(entry, pending)));
      last = page.transfers.at(-1)?.transfer_id;
      if (found.length >= wanted || !page.has_more || last === undefined) return found;
    }
  } catch {
    // The service's list doesn't decide the outcome, so a missing response doesn't either.
    return found;
  }
}

/**
 * Returns the service's entry for a payment that the chain shows, among several of one transaction the one with its note;
 * null if it is not listed yet.
 */
export async function entryOf(
  context: Context,
  { account, to, note }: PendingPayment,
  { tx_hash }: Settled,
): Promise<TransferWithCopies | null> {
  const by = context.hasApiKey ? "key" : "session";
  const { transfers } = await readTransfers(context, { direction: "sent", limit: PAGE }, by);
  const isIt = (entry: TransferWithCopies) =>
    entry.tx_hash === tx_hash &&
    isAddressEqual(entry.account, account) &&
    (!note || (entry.note === note && to !== undefined && isAddressEqual(entry.recipient, to)));
  return transfers.find(isIt) ?? null;
}

/** Like `transfers.check`, without asking the service for the transfer id. */
export async function chainOutcome(context: Context, pending: PendingPayment): Promise<ChainOutcome> {
  const [chain, scope, info] = await Promise.all([context.chain(), context.scope(), context.info()]);
  if (pending.chain_id !== scope.chainId || !isAddressEqual(pending.ledger, scope.ledger)) {
    throw new HalcyonError("invalid_request", "This pending payment is of another network or ledger.");
  }
  // Read the final block first: everything read afterwards is at least as new, so no event is missed in between.
  const final = await chain.client.getBlock({ blockTag: info.finality });
  const newest = await chain.client.getBlockNumber();
  const [events, policyVersion] = await Promise.all([
    pending.kind === "deposit" ? [] : eventsOf(chain, pending, newest),
    finalVersion(chain, pending, info.finality),
  ]);
  const ours = events.find((event) => isOurs(event, pending));
  const seen: Seen | null = ours ?? (await seenDeposit(chain, pending, newest, final.number));
  const isFinal = seen !== null && seen.blockNumber <= final.number;
  if (seen?.status === "reverted") return isFinal ? { outcome: "nothing_moved" } : { outcome: "open", until: null };
  if (seen) return { outcome: "settled", tx_hash: seen.transactionHash, final: isFinal };
  // The document is not in the record: it came from an earlier process, or from someone else who may sign.
  if (events.some((event) => usesItsId(event, pending))) return { outcome: "taken" };
  if (isOver(pending, events, { ...final, policyVersion })) return { outcome: "nothing_moved" };
  return { outcome: "open", until: lastDeadline(pending)?.toISOString() ?? null };
}

/**
 * Looks up on chain what happened to a pending payment. Reads only the chain, over the client's own RPC if it has one,
 * and needs no keys. Only `transfer_id` comes from the service.
 *
 * @example
 * const outcome = await halcyon.transfers.check(JSON.parse(kept));
 * // { outcome: "settled", tx_hash: "0x…", final: true, transfer_id: "tr_…" }, { outcome: "nothing_moved" } or
 * // { outcome: "open", until: "2026-01-31T12:05:00.000Z" }
 * @throws HalcyonError `invalid_request` for a record of another ledger, `idempotency_mismatch` when a different
 * payment used its payment id, `unavailable` when the chain does not respond
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
