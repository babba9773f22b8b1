import type { Address } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptNoteMemo } from "@/lib/ledger/encrypted/memo";
import type { Period } from "@/lib/payments/statements/period";
import { findAgent } from "../account/agents";
import type { TransferWithCopies } from "../api/api-types";
import type { Context } from "../context/context";
import { readTransfers } from "../payments/transfers/encrypted-transfers";
import { TransferDecrypter } from "../payments/transfers/transfer-opener";
import type { TimedEntry } from "./chain-history";

/** What the service adds to a payment on chain. None of it is proven. */
export interface PaymentNames {
  counterparty: string | null;
  reference: string | null;
  memo: string | null;
  transferId: string | null;
  refundOf: string | null;
}

const PAGE = 100;
/** The service lists a payment by the time of its request, but it may settle a day later. */
const MARGIN_MS = 36 * 3_600_000;

const NOTHING: PaymentNames = { counterparty: null, reference: null, memo: null, transferId: null, refundOf: null };

/** The service's transfers of a period, looked up by what they left on chain. */
export class ListedPayments {
  /** By the commitment in the ledger's event: a payment's note, or else the payer's new available balance. */
  private readonly byCommitment = new Map<bigint, TransferWithCopies>();
  private readonly used = new Set<string>();

  private constructor(
    private readonly context: Context,
    private readonly scope: Scope,
    private readonly opener: TransferDecrypter,
  ) {}

  /** @param agent handle of an agent, to load only its transfers */
  static async of(context: Context, period: Period, agent?: string): Promise<ListedPayments> {
    const [scope, opener, only] = await Promise.all([
      context.scope(),
      TransferDecrypter.of(context),
      agent === undefined ? undefined : findAgent(context, agent),
    ]);
    const listed = new ListedPayments(context, scope, opener);
    const query = {
      status: "confirmed",
      from: new Date(period.from.getTime() - MARGIN_MS).toISOString(),
      to: new Date(period.to.getTime() + MARGIN_MS).toISOString(),
      agent: only?.account_id,
      limit: PAGE,
    };
    for (let after: string | undefined; ; ) {
      const page = await readTransfers(context, { ...query, starting_after: after });
      for (const entry of page.transfers)
        listed.byCommitment.set(hexToCommitment(entry.note ?? entry.new_commitment), entry);
      const last = page.transfers.at(-1)?.transfer_id;
      if (!page.has_more || last === undefined || last === after) return listed;
      after = last;
    }
  }

  /**
   * Returns what the service adds to an entry of `holder`. `disagrees` is true when the service names other parties
   * than the chain, or calls one by a handle that has another address on this machine.
   */
  async namesOf(entry: TimedEntry, holder: Address): Promise<PaymentNames & { disagrees: boolean }> {
    const listed = entry.commitment === undefined ? undefined : this.byCommitment.get(entry.commitment);
    if (!listed || entry.counterparty === undefined) return { ...NOTHING, disagrees: false };
    this.used.add(listed.transfer_id);
    const gains = entry.type === "received" || entry.type === "funded_in";
    const [payer, recipient] = gains ? [entry.counterparty, holder] : [holder, entry.counterparty];
    const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
    const name = gains ? listed.from : listed.to;
    const known = await this.context.pins.addressOf(await this.context.info(), name);
    const agrees = same(listed.account, payer) && same(listed.recipient, recipient);
    if (!agrees || !same(known ?? entry.counterparty, entry.counterparty)) return { ...NOTHING, disagrees: true };
    return {
      counterparty: name.startsWith("@") ? name : null,
      reference: listed.reference ?? null,
      memo: await this.memoOf(entry, listed),
      transferId: listed.transfer_id,
      refundOf: listed.refund_of ?? null,
      disagrees: false,
    };
  }

  /**
   * Returns confirmed transfers of these accounts that matched no entry: they are from other periods, or not on chain.
   */
  unused(holders: ReadonlySet<string>): TransferWithCopies[] {
    const isOf = ({ account, recipient }: TransferWithCopies) =>
      holders.has(account.toLowerCase()) || holders.has(recipient.toLowerCase());
    return [...this.byCommitment.values()].filter((entry) => !this.used.has(entry.transfer_id) && isOf(entry));
  }

  private async memoOf({ commitment, noteSalt }: TimedEntry, listed: TransferWithCopies): Promise<string | null> {
    if (!listed.memo && !listed.recipient_memo) return null;
    if (commitment === undefined || noteSalt === undefined || !listed.memo || !listed.note) {
      return (await this.opener.content(listed)).memo;
    }
    try {
      return decryptNoteMemo(this.scope, commitment, noteSalt, fromHex(listed.memo));
    } catch {
      // Ignore errors: a memo that can't be decrypted must not hide the payment.
      return null;
    }
  }
}
