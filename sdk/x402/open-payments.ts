import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { HalcyonError } from "../api/errors";
import type { Buyer } from "./buyer";
import { EXACT, type Extra, type PaymentRequirements, readExtra } from "./wire";

/** A payment that is not yet made and served. Repeating the same request continues it, so nothing is paid twice. */
export interface OpenPayment {
  /** The idempotency key. */
  key: string;
  /** The challenge that it pays. A public payment has none. */
  extra?: Extra;
  /** When it was begun, in milliseconds. */
  begun: number;
  /** A MAC of what the seller asked for. Other programs may read the record, so it does not show a price. */
  terms: string;
  /** Set while the payment awaits approval. */
  transactionId?: string;
  /** Set once the service has accepted the payment: it is read from then on, never sent again. */
  transferId?: string;
}

/** A payment with its record. */
export interface RecordedPayment {
  open: OpenPayment;
  /** Another call began it, and may have paid. */
  earlier: boolean;
  /** Where its record is. */
  place: string;
}

/** Stores payments that were made, or may have been, until their seller has served them. */
export class OpenPayments {
  constructor(private readonly buyer: Buyer) {}

  /**
   * Returns the payment that another call began for the same request, or begins one. Resolves once a crash can't lose
   * the record any more: pay only after that. The record is named by what the buyer requested, because a seller that
   * changes what it asks for would otherwise be paid again each time.
   *
   * @param again begins a payment in any case
   * @throws HalcyonError `policy_violation` when the seller asks for something else than in the earlier payment
   */
  async begin(
    { method, url }: Pick<Request, "method" | "url">,
    { scheme, payTo, asset, amount, extra }: PaymentRequirements,
    again: boolean,
    fresh: () => Pick<OpenPayment, "key" | "extra">,
  ): Promise<RecordedPayment> {
    const { offers } = this.buyer;
    const secret = await this.buyer.recordsOf();
    const asked = [scheme === EXACT ? url : extra.resource, payTo, asset, amount];
    const terms = toHex(hmac(sha256, utf8(secret), utf8([scheme, ...asked].join("\n"))));
    const place = [secret, method, url].join("\n");
    for (;;) {
      const known = again ? undefined : await this.get(place);
      if (known && known.terms !== terms) throw notServed(", and the seller now asks for something else");
      if (known) return { open: known, earlier: true, place };
      const open = { ...fresh(), begun: Date.now(), terms };
      const text = JSON.stringify(open);
      if (again) await offers.set(place, text);
      else if (!(await offers.add(place, text))) continue;
      return { open, earlier: false, place };
    }
  }

  /** Stores a payment's progress, or removes its record. Changes nothing if the record is another payment's by now. */
  async put({ open: { key }, place }: RecordedPayment, open?: OpenPayment): Promise<void> {
    if ((await this.get(place))?.key !== key) return;
    const { offers } = this.buyer;
    await (open ? offers.set(place, JSON.stringify(open)) : offers.delete(place));
  }

  private async get(place: string): Promise<OpenPayment | undefined> {
    const text = await this.buyer.offers.get(place);
    return text === undefined ? undefined : parsed(text);
  }
}

/** Returns the idempotency key of the payment for a challenge. */
export const keyOf = (nonce: string): string => `402-${nonce.slice(2)}`;

function parsed(text: string): OpenPayment {
  try {
    const open = JSON.parse(text) as OpenPayment & { extra?: Record<string, unknown> };
    const extra = readExtra(open.extra);
    const key = extra ? keyOf(extra.nonce) : open.key;
    if (typeof key === "string") return { ...open, key };
  } catch {
    // Reported below.
  }
  throw new HalcyonError("unavailable", "The record of an earlier payment for this can't be read.");
}

/** The seller did not serve an earlier payment, which can't be continued. */
export const notServed = (why: string) =>
  new HalcyonError(
    "policy_violation",
    `An earlier payment for this was not served${why}. Look at it, then ask once with \`again\`.`,
  );
