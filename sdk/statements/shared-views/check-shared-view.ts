import { type Address, type Hex, isAddressEqual, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { formatAmount } from "@/lib/base/money";
import type { Network } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { receiptNote } from "@/lib/ledger/receipt";
import type { SharedPayment, SharedView } from "@/lib/ledger/shared-view/shared-view-document";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Chain } from "../../chain/chain";
import type { ReceiptNetwork } from "../../payments/transfers/check-receipt";

/** One payment of a view, after its comparison with the chain. */
export interface CheckedViewPayment {
  /** `proven`: the chain shows exactly this payment. `refused`: it does not, so the row proves nothing. */
  state: "proven" | "refused";
  /** Why it was refused. */
  reason: string | null;
  /** The direction for the view's accounts. `within`: from one of them to another. */
  direction: "in" | "out" | "within";
  /** Whether anyone can see the amount on chain. */
  public: boolean;
  /** The time of the block, ISO 8601, UTC; null for a refused payment. */
  time: string | null;
  final: boolean;
  from: Address;
  to: Address;
  /** Decimal string, from the view. */
  amount: string;
  asset: string;
  tx_hash: Hex;
  /** As written by the author of the view. */
  name: string | null;
  reference: string | null;
  memo: string | null;
}

/** A view that was decrypted and compared with the chain. */
export interface CheckedSharedView {
  network: Network;
  ledger: Address;
  accounts: { address: Address; name: string }[];
  from: string;
  to: string;
  time_zone: string;
  counterparty: Address | null;
  title: string;
  created_at: string;
  expires_at: string;
  payments: CheckedViewPayment[];
  /** Number of payments that the chain does not show. If it is not zero, do not rely on the view. */
  refused: number;
  /**
   * Totals of proven payments to and from the accounts, by asset. Payments between the accounts count in neither total.
   */
  totals: { asset: string; paid_in: string; paid_out: string; payments: number }[];
}

/** Progress and cancellation of the comparison, for people who wait. */
export interface Checking {
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const AT_ONCE = 10;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const refuse = (message: string) => new HalcyonError("invalid_request", message);

/** The events of a transaction, and when it was mined. */
interface Mined {
  time: number;
  block: bigint;
  events: ReturnType<typeof eventsOf>;
}

function eventsOf(logs: Parameters<typeof parseEventLogs>[0]["logs"], ledger: Address) {
  const names = ["Transferred", "Paid", "Released", "Deposited"] as const;
  const events = parseEventLogs({ abi: ledgerAbi, eventName: [...names], logs });
  return events.filter(({ address }) => isAddressEqual(address, ledger));
}

/**
 * Compares each payment of a view with the chain. Each must be a separate event, with these parties, this asset and
 * this amount, in the period and for the accounts that the view names. This proves that each payment shown is real, not
 * that none is missing.
 *
 * @throws HalcyonError `invalid_request` for a view of another ledger, an expired one, or accounts that do not belong
 * together; `unavailable` when the chain can't be read or the service does not list an asset of the view
 */
export async function checkSharedView(
  view: SharedView,
  network: ReceiptNetwork,
  chain: Chain,
  { onProgress, signal }: Checking = {},
  now = Date.now(),
): Promise<CheckedSharedView> {
  if (view.chainId !== network.chainId || view.ledger !== network.ledger.toLowerCase()) {
    throw refuse("This view is of a ledger that is not this service's. It proves nothing here.");
  }
  if (view.expiresAt * 1000 <= now) throw refuse("This view has expired. Ask for another one.");
  const { client } = chain;
  if ((await client.getChainId()) !== view.chainId) {
    throw new HalcyonError("unavailable", "The RPC address belongs to another chain. Check it and try again.");
  }
  await requireOneOwner(view, chain);
  const newest = await client.getBlock({ blockTag: network.finality });
  const mined = new Map<Hex, Mined | null>();
  const hashes = [...new Set(view.payments.map(({ txHash }) => txHash))];
  for (let at = 0; at < hashes.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    const some = hashes.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map((hash) => minedAs(chain, hash, view.ledger)));
    some.forEach((hash, index) => {
      mined.set(hash, found[index] ?? null);
    });
    onProgress?.(Math.min(at + AT_ONCE, hashes.length), hashes.length);
  }
  const own = new Set(view.accounts.map(({ address }) => address));
  // Each event proves only one payment, so a view can't show the same payment twice.
  const used = new Set<string>();
  const payments = view.payments.map((payment): CheckedViewPayment => {
    const asset = network.assets.find(({ address }) => address.toLowerCase() === payment.asset);
    if (!asset) throw new HalcyonError("unavailable", `The service does not list the asset ${payment.asset}.`);
    const at = mined.get(payment.txHash) ?? null;
    const reason = problemOf(view, payment, at, own, used);
    const { payer, recipient, amount, txHash, name, reference, memo, kind } = payment;
    const within = kind !== "deposit" && own.has(payer) && own.has(recipient);
    return {
      state: reason === null ? "proven" : "refused",
      reason,
      direction: within ? "within" : kind === "deposit" || own.has(recipient) ? "in" : "out",
      public: kind !== "note",
      time: reason === null && at ? iso(at.time) : null,
      final: reason === null && at !== null && newest.number !== null && at.block <= newest.number,
      from: payer,
      to: recipient,
      amount: formatAmount(amount, asset.decimals),
      asset: asset.symbol,
      tx_hash: txHash,
      name: name || null,
      reference: reference || null,
      memo: memo || null,
    };
  });
  const refused = payments.filter(({ state }) => state === "refused").length;
  return {
    network: network.network,
    ledger: view.ledger,
    accounts: view.accounts,
    from: iso(view.from),
    to: iso(view.to),
    time_zone: view.timeZone,
    counterparty: view.counterparty,
    title: view.title,
    created_at: iso(view.createdAt),
    expires_at: iso(view.expiresAt),
    payments,
    refused,
    totals: totalsOf(view, payments, network.assets),
  };
}

/** Checks that all accounts after the first are agents of the first, according to the ledger. */
async function requireOneOwner({ accounts }: SharedView, chain: Chain): Promise<void> {
  const records = await Promise.all(accounts.map(({ address }) => chain.account(address)));
  const [first, ...agents] = records.map(({ owner }) => owner.toLowerCase());
  const owner = accounts[0]?.address;
  if (first === undefined || agents.some((each) => each !== owner)) {
    throw refuse("The accounts of this view do not belong together on chain. Do not rely on it.");
  }
}

async function minedAs({ client }: Chain, hash: Hex, ledger: Address): Promise<Mined | null> {
  try {
    const { status, logs, blockNumber } = await client.getTransactionReceipt({ hash });
    if (status !== "success") return null;
    const { timestamp } = await client.getBlock({ blockNumber });
    return { time: Number(timestamp), block: blockNumber, events: eventsOf(logs, ledger) };
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

/** Returns why a payment doesn't match the chain; null when the chain shows exactly this payment. */
function problemOf(
  view: SharedView,
  payment: SharedPayment,
  mined: Mined | null,
  own: ReadonlySet<Address>,
  used: Set<string>,
): string | null {
  const { kind, payer, recipient, counterparty } = { ...payment, counterparty: view.counterparty };
  if (!own.has(payer) && !own.has(recipient)) return "It is not a payment of the accounts that the view names.";
  if (counterparty !== null && payer !== counterparty && recipient !== counterparty) {
    return "It is not a payment with the address that the view names.";
  }
  if (!mined) return "The chain has no such transaction.";
  if (mined.time < view.from || mined.time >= view.to) return "It was made outside of the period that the view names.";
  const note = kind === "note" ? noteOf(payment) : null;
  if (kind === "note" && note === null) return "Its amount opens no note.";
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  const found = mined.events.find((event) => {
    const { args, eventName } = event;
    if (used.has(`${payment.txHash} ${event.logIndex}`)) return false;
    if (!same(args.account, payer) || !same(args.asset, payment.asset)) return false;
    switch (eventName) {
      case "Transferred":
      case "Paid":
        return kind === "note" && same(args.to, recipient) && args.note === note;
      case "Released":
        return kind === "public" && same(args.to, recipient) && args.amount === payment.amount;
      case "Deposited":
        return kind === "deposit" && payer === recipient && args.units === payment.amount;
      default:
        return false;
    }
  });
  if (!found) return "The chain shows another payment. Something in this row was changed, or it is here twice.";
  used.add(`${payment.txHash} ${found.logIndex}`);
  return null;
}

function noteOf(payment: SharedPayment): bigint | null {
  try {
    return receiptNote(payment);
  } catch {
    return null;
  }
}

function totalsOf(
  view: SharedView,
  checked: readonly CheckedViewPayment[],
  assets: readonly Asset[],
): CheckedSharedView["totals"] {
  return assets.flatMap((asset) => {
    let [paidIn, paidOut, count] = [0n, 0n, 0];
    checked.forEach(({ state, direction, asset: symbol }, index) => {
      const units = view.payments[index]?.amount ?? 0n;
      if (state !== "proven" || symbol !== asset.symbol) return;
      count += 1;
      if (direction === "in") paidIn += units;
      if (direction === "out") paidOut += units;
    });
    const text = (units: bigint) => formatAmount(units, asset.decimals);
    return count === 0
      ? []
      : [{ asset: asset.symbol, paid_in: text(paidIn), paid_out: text(paidOut), payments: count }];
  });
}
