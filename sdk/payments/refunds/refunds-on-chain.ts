import { type Address, type Hex, isAddressEqual } from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { refundBinding } from "@/lib/ledger/crypto/refund-binding";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptPayerCopy, noteOfCopy } from "@/lib/ledger/encrypted/payer-copy";
import { isBoundTo } from "@/lib/ledger/encrypted/recipient-copy";
import type { TransferWithCopies } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";

/** A refund that this account or agent paid, as its own copy shows it. */
export interface OwnRefund {
  units: bigint;
  /** The tag of its idempotency key. */
  tag: Uint8Array;
}

/** A confidential payment of this account or agent. */
interface OwnPayment {
  to: Address;
  note: Hex;
  newCommitment: Hex;
  payerCopy: Hex;
  recipientCopy: Hex;
}

/** Returns the binding of refunds of a received payment. */
export function bindingOf(
  scope: Scope,
  asset: Address,
  { recipient, note }: Pick<TransferWithCopies, "recipient" | "note">,
) {
  if (!note) throw new Error("a payment without a note is not refunded");
  return refundBinding(scope, { account: recipient, asset, note: hexToCommitment(note) });
}

/** A received payment whose refunds are looked for. */
export interface ReceivedPayment {
  entry: TransferWithCopies;
  asset: Address;
  /** The block in which the ledger shows it. */
  block: bigint;
}

/**
 * Finds the refunds of a received payment among this account's own payments. The account's copy of a payment opens the
 * seed, from which the recipient's copy can be computed again, so that it shows what the payment is bound to. Neither
 * the service nor its database is asked.
 */
export class RefundsOnChain {
  private constructor(
    private readonly context: Context,
    private readonly received: ReceivedPayment,
    /** Where refunds go: the account that paid, and its owner if it is an agent. With their viewing keys. */
    private readonly payers: ReadonlyMap<string, Uint8Array>,
  ) {}

  static async of(context: Context, received: ReceivedPayment): Promise<RefundsOnChain> {
    const { address, record, owner } = await (await context.chain()).party(received.entry.account);
    const keyOf = (who: Address, { viewingKey }: { viewingKey: Hex }) =>
      [who.toLowerCase(), fromHex(viewingKey)] as const;
    return new RefundsOnChain(
      context,
      received,
      new Map([keyOf(address, record), ...(owner ? [keyOf(owner.address, owner.record)] : [])]),
    );
  }

  /**
   * Returns the refunds that the chain shows, and the notes of everything that this account has paid since.
   *
   * @throws HalcyonError `refund_not_possible` when a payment to that account can't be decrypted
   */
  async read(): Promise<{ refunds: OwnRefund[]; notes: ReadonlySet<Hex> }> {
    const { entry, asset, block } = this.received;
    const { client, ledger } = await this.context.chain();
    const newest = await client.getBlockNumber();
    const events = await moneyEvents(client, ledger, entry.recipient, block, newest);
    const notes = new Set<Hex>();
    const refunds: OwnRefund[] = [];
    for (const { eventName, args } of events) {
      if (eventName !== "Transferred" || !isAddressEqual(args.account, entry.recipient)) continue;
      const note = commitmentToHex(args.note);
      notes.add(note);
      if (!isAddressEqual(args.asset, asset)) continue;
      const { to, newAvailable, payerCiphertext: payerCopy, recipientCiphertext: recipientCopy } = args;
      const refund = await this.open({
        to,
        note,
        newCommitment: commitmentToHex(newAvailable),
        payerCopy,
        recipientCopy,
      });
      if (refund) refunds.push(refund);
    }
    return { refunds, notes };
  }

  /**
   * Decrypts a payment of this account; null if it is no refund of the received payment.
   *
   * @throws HalcyonError `refund_not_possible` when a payment to that account can't be decrypted
   */
  async open({ to, note, newCommitment, payerCopy, recipientCopy }: OwnPayment): Promise<OwnRefund | null> {
    const { entry, asset } = this.received;
    const viewingKey = this.payers.get(to.toLowerCase());
    if (!viewingKey) return null;
    const [scope, viewer] = await Promise.all([this.context.scope(), this.context.viewer()]);
    const place = { scope, account: entry.recipient, asset, commitment: hexToCommitment(newCommitment) };
    const copy = await decryptPayerCopy(viewer.viewingKey.secret, place, fromHex(payerCopy));
    const ref = { scope, account: to, asset, commitment: hexToCommitment(note) };
    const opening = copy && noteOfCopy(copy, ref);
    if (!opening) {
      throw new HalcyonError(
        "refund_not_possible",
        `One of your payments to this account can't be decrypted, and may be a refund, so nothing is refunded. Its note is ${note}.`,
      );
    }
    const bound = { ...opening, binding: bindingOf(scope, asset, entry) };
    const isRefund = await isBoundTo(viewingKey, ref, bound, copy.seed, fromHex(recipientCopy));
    return isRefund ? { units: opening.amount, tag: copy.tag } : null;
  }
}

/** Reports whether a refund was made under the idempotency key with this tag. */
export const hasTag = (refund: OwnRefund, tag: Uint8Array | undefined): boolean =>
  tag !== undefined && equalBytes(refund.tag, tag);
