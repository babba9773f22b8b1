import { type Address, isAddressEqual, parseEventLogs } from "viem";
import { formatAmount } from "@/lib/base/money";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { NoteOpening } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import type { CommitmentRef, Scope } from "@/lib/ledger/crypto/scope";
import { decryptBatchCopy, isBatchCopy, noteOfBatch } from "@/lib/ledger/encrypted/batch-copy";
import { decryptNoteMemo, decryptPayerMemo, decryptRecipientMemo } from "@/lib/ledger/encrypted/memo";
import { availableOfCopy, decryptPayerCopy, noteOfCopy, type PayerCopy } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { TransferWithCopies } from "../../api/api-types";
import type { Asset, NetworkInfo } from "../../api/network-info";
import type { Chain } from "../../chain/chain";
import { moneyEvents } from "../../chain/ledger-events";
import type { Context } from "../../context/context";
import type { Viewer } from "../../context/viewing/viewer";
import { isIn, type Listed, OnChain } from "./on-chain";

/** The fields of a listed transfer that are needed to decrypt it. Its status and times may change in the meantime. */
export type EncryptedParts = Pick<
  TransferWithCopies,
  | "kind"
  | "direction"
  | "asset"
  | "account"
  | "recipient"
  | "note"
  | "old_commitment"
  | "new_commitment"
  | "recipient_ciphertext"
  | "payer_ciphertext"
  | "memo"
  | "recipient_memo"
  | "tx_hash"
>;

/** What only the two sides of a transfer can decrypt. Null if there is none, or its ciphertext can't be decrypted. */
export interface TransferContent {
  /** Decimal string. */
  amount: string | null;
  memo: string | null;
}

interface Decrypted {
  units: bigint | null;
  memo: string | null;
  /** The opening of the note, if the transfer created one. */
  opening?: NoteOpening;
}

const NOTHING: Decrypted = { units: null, memo: null };

/** Returns null on failure: a memo that can't be decrypted must not hide the payment. */
async function readable(open: () => string | Promise<string>): Promise<string | null> {
  try {
    return await open();
  } catch {
    return null;
  }
}

/** Decrypts transfers of one account and its agents with the account's keys, on this machine. */
export class TransferDecrypter {
  private constructor(
    private readonly scope: Scope,
    private readonly viewer: Viewer,
    private readonly chain: Chain,
    private readonly assets: readonly Asset[],
    private readonly finality: NetworkInfo["finality"],
    /**
     * Null when the chain is only reachable through the RPC that the service recommends, so a comparison would prove
     * nothing.
     */
    private readonly onChain: OnChain | null,
  ) {}

  /** Creates an opener with the context's viewing key, or with the keys of its wallet's account. */
  static async of(context: Context): Promise<TransferDecrypter> {
    const [scope, viewer, chain, { assets, finality }] = await Promise.all([
      context.scope(),
      context.viewer(),
      context.chain(),
      context.info(),
    ]);
    const onChain = context.hasOwnRpc ? new OnChain(chain, viewer.account) : null;
    return new TransferDecrypter(scope, viewer, chain, assets, finality, onChain);
  }

  /**
   * Decrypts amount and memo. If the caller has its own RPC, returns those of a confirmed transfer only if the ledger
   * shows the transfer.
   *
   * @param status if not set, the entry is treated as pending and not compared with the chain
   */
  async content(entry: EncryptedParts, status?: TransferWithCopies["status"]): Promise<TransferContent> {
    const asset = this.assetOf(entry);
    if (!asset) return { amount: null, memo: null };
    if (status === "confirmed" && this.onChain && !(await this.onChain.shows(entry, asset.address))) {
      return { amount: null, memo: null };
    }
    const { units, memo } = await this.open(entry, asset.address);
    return { amount: units === null ? null : formatAmount(units, asset.decimals), memo };
  }

  /** Returns a transfer; one that has failed, as the ledger shows it, if the caller has its own RPC. */
  async asOnChain(entry: TransferWithCopies): Promise<TransferWithCopies> {
    const asset = this.assetOf(entry);
    const isLive = entry.status === "confirmed" || entry.status === "pending";
    if (isLive || !asset || !this.onChain) return entry;
    const shown = await statusOnChain(this.chain, this.onChain, entry, asset.address, this.finality);
    return { ...entry, ...shown };
  }

  /**
   * Returns the amount and salt of a transfer's note, and its asset; null when there is no note or it can't be
   * decrypted.
   */
  async note(entry: EncryptedParts): Promise<{ asset: Asset; opening: NoteOpening } | null> {
    const asset = this.assetOf(entry);
    if (!asset || !entry.note) return null;
    const { opening } = await this.open(entry, asset.address);
    return opening ? { asset, opening } : null;
  }

  /**
   * Returns the binding of a received payment, which its payer wrote into this account's copy; null if there is no such
   * copy.
   */
  async bindingOf(entry: EncryptedParts): Promise<Uint8Array | null> {
    const asset = this.assetOf(entry);
    if (!asset || !entry.recipient_ciphertext || !entry.note) return null;
    const ref = {
      scope: this.scope,
      account: entry.recipient,
      asset: asset.address,
      commitment: hexToCommitment(entry.note),
    };
    const copy = await decryptRecipientCopy(this.viewer.viewingKey.secret, ref, fromHex(entry.recipient_ciphertext));
    return copy?.binding ?? null;
  }

  private assetOf(entry: EncryptedParts): Asset | undefined {
    return this.assets.find(({ symbol }) => symbol === entry.asset);
  }

  private open(entry: EncryptedParts, asset: Address): Promise<Decrypted> {
    // Moves between an account and its agent are encrypted to the owner on both sides.
    if (entry.direction === "sent" || entry.kind === "fund") return this.decryptSent(entry, asset);
    return entry.note ? this.decryptReceived(entry, asset) : this.decryptReleased(entry, asset);
  }

  private decryptSent(entry: EncryptedParts, asset: Address): Promise<Decrypted> {
    if (!entry.payer_ciphertext) return Promise.resolve(NOTHING);
    const encrypted = fromHex(entry.payer_ciphertext);
    const commitment = hexToCommitment(entry.new_commitment);
    const place = { scope: this.scope, account: entry.account, asset, commitment };
    return isBatchCopy(encrypted)
      ? this.decryptOfBatch(entry, place, encrypted)
      : this.decryptAlone(entry, place, encrypted);
  }

  private async decryptAlone(entry: EncryptedParts, place: CommitmentRef, encrypted: Uint8Array): Promise<Decrypted> {
    const copy = await decryptPayerCopy(this.viewer.viewingKey.secret, place, encrypted);
    if (!copy) return NOTHING;
    if (!entry.note) return this.decryptPublic(entry, place, copy);
    const opening = noteOfCopy(copy, { ...place, account: entry.recipient, commitment: hexToCommitment(entry.note) });
    return opening ? this.withNote(entry, opening) : NOTHING;
  }

  /** Decrypts a payment of a batch: one copy contains the amounts of all its payments. */
  private async decryptOfBatch(entry: EncryptedParts, place: CommitmentRef, encrypted: Uint8Array): Promise<Decrypted> {
    const copy = await decryptBatchCopy(this.viewer.viewingKey.secret, place, encrypted);
    if (!copy || !entry.note) return NOTHING;
    const ref = { ...place, account: entry.recipient, commitment: hexToCommitment(entry.note) };
    for (const [index, amount] of copy.amounts.entries()) {
      const opening = amount > 0n ? noteOfBatch(copy, ref, index) : null;
      if (opening) return this.withNote(entry, opening);
    }
    return NOTHING;
  }

  /**
   * Decrypts a payment without a note. Accepts the copy only if it recomputes the available balance or, for an
   * available balance under a policy, if its seed gives the payment id on chain.
   */
  private async decryptPublic(entry: EncryptedParts, place: CommitmentRef, copy: PayerCopy): Promise<Decrypted> {
    const memoOf = async () => {
      const encrypted = entry.memo && fromHex(entry.memo);
      return encrypted ? readable(() => decryptPayerMemo(this.scope, place.commitment, copy.seed, encrypted)) : null;
    };
    if (availableOfCopy(copy, place, hexToCommitment(entry.old_commitment)))
      return { units: copy.amount, memo: await memoOf() };
    if (entry.kind !== "release") return NOTHING;
    const released = await this.releasedBy(entry, place.asset);
    if (released?.paymentId !== paymentIdOf(copy.seed, this.scope))
      return { ...NOTHING, units: released?.amount ?? null };
    return { units: released.amount, memo: await memoOf() };
  }

  private async withNote({ note, memo }: EncryptedParts, opening: NoteOpening): Promise<Decrypted> {
    const commitment = note && hexToCommitment(note);
    const text =
      commitment &&
      memo &&
      (await readable(() => decryptNoteMemo(this.scope, commitment, opening.salt, fromHex(memo))));
    return { units: opening.amount, memo: typeof text === "string" ? text : null, opening };
  }

  private async decryptReceived(entry: EncryptedParts, asset: Address): Promise<Decrypted> {
    const { scope, viewer } = this;
    if (!entry.recipient_ciphertext || !entry.note) return NOTHING;
    const place = { scope, account: entry.recipient, asset, commitment: hexToCommitment(entry.note) };
    const opening = await decryptRecipientCopy(viewer.viewingKey.secret, place, fromHex(entry.recipient_ciphertext));
    return opening ? this.withNote(entry, { amount: opening.amount, salt: opening.salt }) : NOTHING;
  }

  /** Decrypts a public payment: its amount is on chain, and its memo was encrypted to the recipient. */
  private async decryptReleased(entry: EncryptedParts, asset: Address): Promise<Decrypted> {
    const { scope, viewer } = this;
    const place = { scope, account: entry.recipient, asset, commitment: hexToCommitment(entry.new_commitment) };
    const memo = entry.recipient_memo;
    return {
      units: (await this.releasedBy(entry, asset))?.amount ?? null,
      memo: memo && (await readable(() => decryptRecipientMemo(viewer.viewingKey.secret, place, fromHex(memo)))),
    };
  }

  /** Returns the ledger's event for this entry in its transaction. */
  private async releasedBy(entry: EncryptedParts, asset: Address) {
    const { client, ledger } = this.chain;
    const receipt = await client.getTransactionReceipt({ hash: entry.tx_hash }).catch(() => null);
    const events = parseEventLogs({ abi: ledgerAbi, eventName: "Released", logs: receipt?.logs ?? [] });
    const found = events.find(
      ({ address, args }) =>
        isAddressEqual(address, ledger) &&
        isAddressEqual(args.account, entry.account) &&
        isAddressEqual(args.to, entry.recipient) &&
        isAddressEqual(args.asset, asset) &&
        args.newAvailable === hexToCommitment(entry.new_commitment),
    );
    return found?.args;
  }
}

/**
 * Returns status and transaction of a transfer of which the service says that it has failed. If the ledger shows it all
 * the same, it is `confirmed` or `pending`: otherwise its payer would pay again.
 */
async function statusOnChain(
  chain: Chain,
  onChain: OnChain,
  entry: Listed & Pick<TransferWithCopies, "status">,
  asset: Address,
  finality: NetworkInfo["finality"],
): Promise<Pick<TransferWithCopies, "status" | "tx_hash">> {
  const { status, tx_hash } = entry;
  const named = tx_hash ? await onChain.blockOf(entry, asset) : null;
  const found =
    named === null ? await findEvent(chain, entry, asset) : { blockNumber: named, transactionHash: tx_hash };
  if (!found) return { status, tx_hash };
  const final = await chain.client.getBlock({ blockTag: finality });
  return { status: found.blockNumber <= final.number ? "confirmed" : "pending", tx_hash: found.transactionHash };
}

/** Finds the event of a transfer whose transaction is not known, or is not the one that the service names. */
async function findEvent(chain: Chain, entry: Listed, asset: Address): Promise<MoneyEvent | undefined> {
  const { account, recipient, note } = entry;
  // The ledger takes a note once: without it the payment has not settled, so that most need no more than this.
  if (note !== null && (await chain.noteStatus(recipient, asset, hexToCommitment(note))) === 0) return undefined;
  const [newest, { enrolledBlock }] = await Promise.all([chain.client.getBlockNumber(), chain.account(account)]);
  const byTransaction = new Map<string, MoneyEvent[]>();
  for (const event of await moneyEvents(chain.client, chain.ledger, account, enrolledBlock, newest)) {
    byTransaction.set(event.transactionHash, [...(byTransaction.get(event.transactionHash) ?? []), event]);
  }
  return [...byTransaction.values()].find((events) => isIn(events, entry, asset))?.[0];
}
