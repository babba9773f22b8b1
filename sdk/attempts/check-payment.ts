import { type Address, type Hex, isAddressEqual, parseAbi, parseAbiItem } from "viem";
import { readBudgetWord } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { SealedTransfer } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import { moneyEvents, readRanges } from "../chain/ledger-events";
import type { Context } from "../context/context";
import { lastDeadline, type PaymentOutcome, type PendingPayment } from "./pending-payment";

/** Where on chain it happened. */
interface Seen {
  tx_hash: Hex;
  block: bigint;
  /** The wallet's own transaction was mined and changed nothing. */
  reverted?: boolean;
}

/** As `PaymentOutcome`, without the service's name for it. */
export type ChainOutcome =
  | Exclude<PaymentOutcome, { outcome: "settled" }>
  | Omit<Extract<PaymentOutcome, { outcome: "settled" }>, "transfer_id">;

/** It happened, as the client's own chain shows. */
export type Settled = Extract<ChainOutcome, { outcome: "settled" }>;

const PAGE = 100;
/** The longest that a signed document may wait for a block, and an hour for clocks that differ. */
const EARLIEST_MS = 25 * 3_600_000;

const tokenAbi = parseAbi(["function authorizationState(address, bytes32) view returns (bool)"]);
const authorizationUsed = parseAbiItem("event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)");

/** The budget word an event replaces and the one it leaves, of one account; null when it moves no budget of it. */
export function budgetMove(event: MoneyEvent, account: Address): { before: bigint; after: bigint } | null {
  const is = (address: Address) => isAddressEqual(address, account);
  switch (event.eventName) {
    case "Allocated":
    case "Released":
    case "Transferred": {
      const { args } = event;
      return is(args.account) ? { before: readBudgetWord(args.oldBudget), after: args.newBudget } : null;
    }
    case "Funded": {
      const { args } = event;
      if (is(args.from)) return { before: readBudgetWord(args.fromOldBudget), after: args.fromNewBudget };
      return is(args.to) ? { before: readBudgetWord(args.toOldBudget), after: args.toNewBudget } : null;
    }
    case "Abandoned": {
      const { args } = event;
      return is(args.account) ? { before: readBudgetWord(args.oldBudget), after: readBudgetWord(0n) } : null;
    }
    case "Deposited":
      return null;
  }
}

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

/** All moves of the account's budget and notes of this asset since the attempt began. */
async function eventsOf(chain: Chain, { account, asset, since_block }: PendingPayment, newest: bigint) {
  const events = await moneyEvents(chain.client, chain.ledger, account, BigInt(since_block), newest);
  return events.filter(({ args }) => isAddressEqual(args.asset, asset));
}

/** Whether an event is what one of the documents asks for. */
function isOurs(event: MoneyEvent, { account, note, documents }: PendingPayment): boolean {
  if (note !== undefined && event.eventName === "Transferred") {
    return isAddressEqual(event.args.account, account) && event.args.note === hexToWord(note);
  }
  const move = budgetMove(event, account);
  return move !== null && documents.some(({ new_word }) => new_word && hexToWord(new_word) === move.after);
}

/** Whether no document can be taken any more: its deadline has passed on a final block, or its word was used otherwise. */
function isOver(pending: PendingPayment, events: readonly MoneyEvent[], final: { number: bigint; timestamp: bigint }) {
  const gone = new Set<bigint>();
  for (const event of events) {
    const move = event.blockNumber <= final.number ? budgetMove(event, pending.account) : null;
    if (move) gone.add(move.before);
  }
  // Of what has no document the chain cannot say that it will not come.
  if (pending.documents.length === 0) return false;
  return pending.documents.every(({ old_word, deadline, tx_hash }) => {
    if (tx_hash) return false;
    return final.timestamp > BigInt(deadline) || (old_word !== undefined && gone.has(hexToWord(old_word)));
  });
}

/** What the service lists a pending payment as; null when it does not list it, or does not respond. */
export async function listedTransfer(context: Context, pending: PendingPayment): Promise<SealedTransfer | null> {
  const { documents, account, kind } = pending;
  if (kind === "allocation" || kind === "deposit") return null;
  const words = new Set(documents.map(({ new_word }) => new_word));
  // None of them was posted earlier than a day and some minutes before its deadline.
  const from = new Date(1000 * Math.min(...documents.map(({ deadline }) => deadline)) - EARLIEST_MS).toISOString();
  try {
    const session = await context.session();
    for (let offset = 0; documents.length > 0; offset += PAGE) {
      const query = { limit: PAGE, offset, from };
      const page = await session.get<{ transfers: SealedTransfer[]; has_more: boolean }>("/api/transfers", query);
      const ours = page.transfers.find(
        (entry) => isAddressEqual(entry.account, account) && words.has(entry.new_word) && entry.status !== "failed",
      );
      if (ours) return ours;
      if (!page.has_more) return null;
    }
    return null;
  } catch {
    // What it says decides nothing, so its silence does not either.
    return null;
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
  const events = pending.kind === "deposit" ? [] : await eventsOf(chain, pending, newest);
  const ours = events.find((event) => isOurs(event, pending));
  const seen: Seen | null = ours
    ? { tx_hash: ours.transactionHash, block: ours.blockNumber }
    : await seenDeposit(chain, pending, newest);
  const isFinal = seen !== null && seen.block <= final.number;
  if (seen?.reverted) return isFinal ? { outcome: "nothing_moved" } : { outcome: "open", until: null };
  if (seen) return { outcome: "settled", tx_hash: seen.tx_hash, final: isFinal };
  if (isOver(pending, events, final)) return { outcome: "nothing_moved" };
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
 * @throws HalcyonError `invalid_request` for a record of another ledger, `unavailable` when the chain does not respond
 */
export async function checkPayment(context: Context, pending: PendingPayment): Promise<PaymentOutcome> {
  const shown = await chainOutcome(context, pending);
  if (shown.outcome !== "settled") return shown;
  return { ...shown, transfer_id: (await listedTransfer(context, pending))?.transfer_id ?? null };
}
