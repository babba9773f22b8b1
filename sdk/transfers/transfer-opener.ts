import type { Address } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { NoteOpening } from "@/lib/ledger/crypto/commitments";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { openNoteMemo, openPayerMemo, openRecipientMemo } from "@/lib/ledger/seal/memo";
import { budgetOfCopy, noteOfCopy, openPayerCopy } from "@/lib/ledger/seal/payer-copy";
import { openRecipientCopy } from "@/lib/ledger/seal/recipient-copy";
import { formatAmount } from "@/lib/money";
import type { SealedTransfer } from "../api/api-types";
import type { Asset } from "../api/network-info";
import type { Chain } from "../chain/chain";
import type { Context } from "../context/context";
import type { Viewer } from "../viewing/viewer";
import { OnChain } from "./on-chain";

/** Of a listed transfer, all it takes to decrypt it; status and times may change meanwhile. */
export type SealedParts = Pick<
  SealedTransfer,
  | "kind"
  | "direction"
  | "asset"
  | "account"
  | "recipient"
  | "note"
  | "old_word"
  | "new_word"
  | "recipient_ciphertext"
  | "payer_ciphertext"
  | "memo"
  | "recipient_memo"
  | "tx_hash"
>;

/** What only the two sides of a transfer can decrypt. Null: not there, or its ciphertext can't be decrypted. */
export interface TransferContent {
  /** Decimal string. */
  amount: string | null;
  memo: string | null;
}

interface Opened {
  units: bigint | null;
  memo: string | null;
  /** Decrypts the note, where the transfer created one. */
  opening?: NoteOpening;
}

const NOTHING: Opened = { units: null, memo: null };

/** A memo is an extra: one that can't be decrypted must not hide the payment. */
async function readable(open: () => string | Promise<string>): Promise<string | null> {
  try {
    return await open();
  } catch {
    return null;
  }
}

/** Decrypts transfers of one account and its agents with the account's keys, on this machine. */
export class TransferOpener {
  private constructor(
    private readonly scope: Scope,
    private readonly viewer: Viewer,
    private readonly chain: Chain,
    private readonly assets: readonly Asset[],
    /** Null: only the service names a chain to compare with. */
    private readonly onChain: OnChain | null,
  ) {}

  /** The opener of the context's viewing key, or of its wallet, whose account it unlocks. */
  static async of(context: Context): Promise<TransferOpener> {
    const [scope, viewer, chain, { assets }] = await Promise.all([
      context.scope(),
      context.viewer(),
      context.chain(),
      context.info(),
    ]);
    const onChain = context.hasOwnRpc ? new OnChain(chain, viewer.account) : null;
    return new TransferOpener(scope, viewer, chain, assets, onChain);
  }

  /**
   * Amount and memo. With an RPC of the caller's own, those of a confirmed transfer only if the ledger shows it.
   *
   * @param status left out: the entry is taken as pending, and not compared with the chain
   */
  async content(entry: SealedParts, status?: SealedTransfer["status"]): Promise<TransferContent> {
    const asset = this.assetOf(entry);
    if (!asset) return { amount: null, memo: null };
    if (status === "confirmed" && this.onChain && !(await this.onChain.shows(entry, asset.address))) {
      return { amount: null, memo: null };
    }
    const { units, memo } = await this.open(entry, asset.address);
    return { amount: units === null ? null : formatAmount(units, asset.decimals), memo };
  }

  /** Amount and salt of the note a transfer made, and its asset; null when there is none or it can't be decrypted. */
  async note(entry: SealedParts): Promise<{ asset: Asset; opening: NoteOpening } | null> {
    const asset = this.assetOf(entry);
    if (!asset || !entry.note) return null;
    const { opening } = await this.open(entry, asset.address);
    return opening ? { asset, opening } : null;
  }

  private assetOf(entry: SealedParts): Asset | undefined {
    return this.assets.find(({ symbol }) => symbol === entry.asset);
  }

  private open(entry: SealedParts, asset: Address): Promise<Opened> {
    // What moves between an account and its agent was encrypted to the owner on both sides.
    if (entry.direction === "sent" || entry.kind === "fund") return this.openSent(entry, asset);
    return entry.note ? this.openReceived(entry, asset) : this.openReleased(entry, asset);
  }

  private async openSent(entry: SealedParts, asset: Address): Promise<Opened> {
    const { scope, viewer } = this;
    if (!entry.payer_ciphertext) return NOTHING;
    const commitment = hexToWord(entry.new_word);
    const place = { scope, account: entry.account, asset, commitment };
    const copy = await openPayerCopy(viewer.viewingKey.secret, place, fromHex(entry.payer_ciphertext));
    if (!copy) return NOTHING;
    const { memo } = entry;
    if (!entry.note) {
      if (!budgetOfCopy(copy, place, hexToWord(entry.old_word))) return NOTHING;
      const text = memo && (await readable(() => openPayerMemo(scope, commitment, copy.seed, fromHex(memo))));
      return { units: copy.amount, memo: text };
    }
    const note = hexToWord(entry.note);
    const opening = noteOfCopy(copy, { scope, account: entry.recipient, asset, commitment: note });
    if (!opening) return NOTHING;
    return {
      units: opening.amount,
      memo: memo && (await readable(() => openNoteMemo(scope, note, opening.salt, fromHex(memo)))),
      opening,
    };
  }

  private async openReceived(entry: SealedParts, asset: Address): Promise<Opened> {
    const { scope, viewer } = this;
    if (!entry.recipient_ciphertext || !entry.note) return NOTHING;
    const note = hexToWord(entry.note);
    const place = { scope, account: entry.recipient, asset, commitment: note };
    const opening = await openRecipientCopy(viewer.viewingKey.secret, place, fromHex(entry.recipient_ciphertext));
    if (!opening) return NOTHING;
    const { memo } = entry;
    return {
      units: opening.amount,
      memo: memo && (await readable(() => openNoteMemo(scope, note, opening.salt, fromHex(memo)))),
      opening,
    };
  }

  /** A public payment: its amount is on chain, its memo was encrypted to the recipient. */
  private async openReleased(entry: SealedParts, asset: Address): Promise<Opened> {
    const { scope, viewer, chain } = this;
    const commitment = hexToWord(entry.new_word);
    const receipt = await chain.client.getTransactionReceipt({ hash: entry.tx_hash }).catch(() => null);
    const events = receipt
      ? await chain.client.getContractEvents({
          address: chain.ledger,
          abi: ledgerAbi,
          eventName: "Released",
          args: { to: entry.recipient, asset },
          strict: true,
          fromBlock: receipt.blockNumber,
          toBlock: receipt.blockNumber,
        })
      : [];
    const memo = entry.recipient_memo;
    const place = { scope, account: entry.recipient, asset, commitment };
    return {
      units: events.find(({ args }) => args.newBudget === commitment)?.args.amount ?? null,
      memo: memo && (await readable(() => openRecipientMemo(viewer.viewingKey.secret, place, fromHex(memo)))),
    };
  }
}
