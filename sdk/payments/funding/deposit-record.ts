import type { Address, Hex } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { newSeed } from "@/lib/ledger/crypto/payment-seed";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";
import type { AttemptOptions } from "../attempts/attempt-options";
import { otherPayment } from "../attempts/earlier-attempt";
import type { PendingDocument, PendingPayment } from "../attempts/pending-payment";

/** The record of one deposit across all its tries. */
export class DepositRecord {
  private constructor(
    private readonly fresh: PendingPayment,
    /** The nonce of the token's authorization, or what marks the wallet's own transaction. The same in every try. */
    readonly nonce: Hex,
    private readonly onPending: AttemptOptions["onPending"],
    /** The record of what was sent already. */
    private record: PendingPayment | null,
  ) {}

  /** Begins a deposit, or continues an earlier one. The nonce is derived from the account key and the key. */
  static async begin(context: Context, asset: Asset, options: AttemptOptions): Promise<DepositRecord> {
    const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
    const { pending, idempotencyKey: key = pending?.id } = options;
    const id = key ?? crypto.randomUUID();
    const account = context.wallet.address.toLowerCase() as Address;
    const seed = key === undefined ? newSeed() : (await context.vault()).seedKey;
    const extra = `${account}/${asset.address}/${id}`;
    const nonce = toHex(hkdf(seed, "deposit nonce", scope, { extra }));
    const { chainId: chain_id, ledger } = scope;
    const block = await chain.client.getBlockNumber();
    const fresh: PendingPayment = {
      version: 1,
      id,
      kind: "deposit",
      chain_id,
      ledger,
      account,
      asset: asset.address,
      since_block: block.toString(),
      documents: [],
    };
    if (pending && (pending.id !== id || pending.kind !== "deposit" || pending.asset !== asset.address)) {
      throw otherPayment();
    }
    return new DepositRecord(pending ?? fresh, nonce, options.onPending, pending ?? null);
  }

  /** What was sent so far; null if nothing was. */
  get pending(): PendingPayment | null {
    return this.record;
  }

  /** Records a document before it is sent. */
  async leaving(document: PendingDocument): Promise<PendingPayment> {
    const others = this.fresh.documents.filter(({ authorization }) => authorization !== document.authorization);
    const record = { ...this.fresh, documents: [...others, document] };
    await this.onPending?.(record);
    this.record = record;
    return record;
  }
}
