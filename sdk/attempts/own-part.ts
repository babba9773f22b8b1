import { type Address, type Hex, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { wordToHex } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { LedgerEvent, MoneyEvent } from "@/lib/ledger/ledger-events";
import { noteOfBatch, openBatchCopy } from "@/lib/ledger/seal/batch-copy";
import { noteOfCopy, openPayerCopy, type PayerCopy } from "@/lib/ledger/seal/payer-copy";
import type { EarlierPayment } from "./earlier-attempt";
import type { PendingPayment } from "./pending-payment";

/** What finds a payment again in the account's own copy of it. */
export type OwnCopy = Pick<PayerCopy, "seed" | "tag">;

/** An event that took money out of the account's budget, or allocated to it, and what its own copy says. */
interface OwnPart {
  kind: PendingPayment["kind"];
  old_word: Hex;
  new_word: Hex;
  copy: OwnCopy;
  earlier: EarlierPayment;
}

interface Words {
  oldBudget: bigint;
  newBudget: bigint;
}

const wordsOf = ({ oldBudget, newBudget }: Words) => ({
  old_word: wordToHex(oldBudget),
  new_word: wordToHex(newBudget),
});

/** The event's words and copy, where the account made it. */
function placeOf(event: MoneyEvent, account: Address) {
  const { eventName, args } = event;
  switch (eventName) {
    case "Allocated":
      return isAddressEqual(args.account, account)
        ? { kind: "allocation" as const, ciphertext: args.ciphertext, words: args }
        : null;
    case "Released":
    case "Transferred":
    case "BatchTransferred": {
      if (!isAddressEqual(args.account, account)) return null;
      const kind = { Released: "release", Transferred: "transfer", BatchTransferred: "batch" } as const;
      return { kind: kind[eventName], ciphertext: args.payerCiphertext, words: args };
    }
    case "Funded": {
      if (!isAddressEqual(args.from, account)) return null;
      const words = { oldBudget: args.fromOldBudget, newBudget: args.fromNewBudget };
      return { kind: "fund" as const, ciphertext: args.fromCiphertext, words };
    }
    case "Deposited":
    case "Abandoned":
    case "Ruled":
    case "Paid":
      return null;
  }
}

/** The payments of a batch, in the order of the call, which is that of its events. */
function paidWith(event: LedgerEvent<"BatchTransferred">, events: readonly MoneyEvent[]): LedgerEvent<"Paid">[] {
  const after = events.filter((one) => one.transactionHash === event.transactionHash && one.logIndex > event.logIndex);
  after.sort((a, b) => a.logIndex - b.logIndex);
  const next = after.findIndex(({ eventName }) => eventName === "BatchTransferred");
  const own = next === -1 ? after : after.slice(0, next);
  return own.flatMap((one) =>
    one.eventName === "Paid" && isAddressEqual(one.args.account, event.args.account) ? [one] : [],
  );
}

/** What the account's own copy says of an event that it made; null for another's, and for one it can't decrypt. */
export async function ownPart(
  scope: Scope,
  viewingSecret: Uint8Array,
  account: Address,
  event: MoneyEvent,
  events: readonly MoneyEvent[],
): Promise<OwnPart | null> {
  const place = placeOf(event, account);
  if (!place) return null;
  const { kind, words } = place;
  const { asset } = event.args;
  const ref = { scope, account, asset, commitment: words.newBudget };
  const sealed = fromHex(place.ciphertext);
  if (event.eventName === "BatchTransferred") {
    const copy = await openBatchCopy(viewingSecret, ref, sealed);
    if (!copy) return null;
    const batch = paidWith(event, events).map((paid, index) => {
      const at = { scope, account: paid.args.to, asset, commitment: paid.args.note };
      return { paid, amount: noteOfBatch(copy, at, index)?.amount ?? null };
    });
    return { kind, ...wordsOf(words), copy, earlier: { event, amount: null, batch } };
  }
  const copy = await openPayerCopy(viewingSecret, ref, sealed);
  if (!copy) return null;
  const amount = amountOf(scope, event, copy);
  return { kind, ...wordsOf(words), copy, earlier: { event, amount, batch: [] } };
}

function amountOf(scope: Scope, event: MoneyEvent, copy: PayerCopy): bigint | null {
  if (event.eventName === "Released") return event.args.amount;
  if (event.eventName !== "Transferred") return copy.amount;
  const { to: account, asset, note: commitment } = event.args;
  return noteOfCopy(copy, { scope, account, asset, commitment })?.amount ?? null;
}
