import type { Address } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { fromHex } from "@/lib/ledger/bytes";
import { copyMatchesNote, openPayerCopy, openRecipientCopy } from "@/lib/ledger/copies";
import { hexToWord } from "@/lib/ledger/field";
import { openNoteMemo, openPayerMemo, openRecipientMemo } from "@/lib/ledger/memo";
import type { Scope } from "@/lib/ledger/scope";
import { formatAmount } from "@/lib/money";
import { findAgent } from "./agents";
import type { SealedTransfer, Transfer } from "./api-types";
import type { Chain } from "./chain";
import type { Context } from "./context";
import type { Vault } from "./vault";

/** A transfer with what only its two sides can open. Null: not there, or its ciphertext does not open. */
export interface OpenedTransfer extends Transfer {
  amount: string | null;
  memo: string | null;
}

export interface TransfersInput {
  limit?: number;
  offset?: number;
  /** Handle of an agent of the account: its transfers alone. */
  agent?: string;
  status?: Transfer["status"];
  direction?: "sent" | "received";
  /** `@handle` or address of the other side. */
  counterparty?: string;
  /** Symbol. */
  asset?: string;
  /** Id of the API key that paid. */
  key?: string;
  /** Strict bounds on `created_at`, ISO 8601. */
  from?: string;
  to?: string;
}

interface Opener {
  scope: Scope;
  vault: Vault;
  chain: Chain;
}

interface Opened {
  units: bigint | null;
  memo: string | null;
}

const NOTHING: Opened = { units: null, memo: null };

/** A memo is an extra: one that does not open must not hide the payment. */
async function readable(open: () => string | Promise<string>): Promise<string | null> {
  try {
    return await open();
  } catch {
    return null;
  }
}

async function openSent({ scope, vault }: Opener, entry: SealedTransfer, asset: Address): Promise<Opened> {
  if (!entry.payer_ciphertext) return NOTHING;
  const commitment = hexToWord(entry.new_word);
  const place = { scope, account: entry.account, asset, commitment };
  const copy = await openPayerCopy(vault.viewingKey.secret, place, fromHex(entry.payer_ciphertext));
  if (!copy) return NOTHING;
  const { memo } = entry;
  if (!entry.note) {
    const text = memo && (await readable(() => openPayerMemo(scope, commitment, copy.seed, fromHex(memo))));
    return { units: copy.amount, memo: text };
  }
  const note = hexToWord(entry.note);
  if (!copyMatchesNote(copy, note)) return NOTHING;
  return {
    units: copy.amount,
    memo: memo && (await readable(() => openNoteMemo(scope, note, copy.noteSalt, fromHex(memo)))),
  };
}

async function openReceived(opener: Opener, entry: SealedTransfer, asset: Address): Promise<Opened> {
  const { scope, vault } = opener;
  if (!entry.note) return openReleased(opener, entry, asset);
  if (!entry.recipient_ciphertext) return NOTHING;
  const note = hexToWord(entry.note);
  const place = { scope, account: entry.recipient, asset, commitment: note };
  const opening = await openRecipientCopy(vault.viewingKey.secret, place, fromHex(entry.recipient_ciphertext));
  if (!opening) return NOTHING;
  const { memo } = entry;
  return {
    units: opening.amount,
    memo: memo && (await readable(() => openNoteMemo(scope, note, opening.salt, fromHex(memo)))),
  };
}

/** A public payment: its amount is on chain, its memo was sealed to the recipient. */
async function openReleased({ scope, vault, chain }: Opener, entry: SealedTransfer, asset: Address) {
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
  const units = events.find(({ args }) => args.newBudget === commitment)?.args.amount ?? null;
  const memo = entry.recipient_memo;
  const place = { scope, account: entry.recipient, asset, commitment };
  return {
    units,
    memo: memo && (await readable(() => openRecipientMemo(vault.viewingKey.secret, place, fromHex(memo)))),
  };
}

/**
 * The newest transfers of the account and its agents, or of one agent, each amount and memo opened on this machine.
 *
 * @example
 * await halcyon.transfers({ limit: 1 }); // { transfers: [{ transfer_id: "tr_…", amount: "25", memo: "lunch", … }] }
 */
export async function transfers(
  context: Context,
  input: TransfersInput = {},
): Promise<{ transfers: OpenedTransfer[] }> {
  const [agent, session, info, scope, vault, chain] = await Promise.all([
    input.agent === undefined ? undefined : findAgent(context, input.agent),
    context.session(),
    context.info(),
    context.scope(),
    context.vault(),
    context.chain(),
  ]);
  const opener = { scope, vault, chain };
  const query = { ...input, agent: agent?.account_id };
  const listed = await session.get<{ transfers: SealedTransfer[] }>("/api/transfers", query);
  const opened = listed.transfers.map(async (entry): Promise<OpenedTransfer> => {
    const asset = info.assets.find(({ symbol }) => symbol === entry.asset);
    // What moves between an account and its agent was sealed to the owner on both sides.
    const open = entry.direction === "sent" || entry.kind === "fund" ? openSent : openReceived;
    const { units, memo } = asset ? await open(opener, entry, asset.address) : NOTHING;
    return {
      transfer_id: entry.transfer_id,
      status: entry.status,
      direction: entry.direction,
      from: entry.from,
      to: entry.to,
      asset: entry.asset,
      amount: asset && units !== null ? formatAmount(units, asset.decimals) : null,
      memo,
      confidential: entry.confidential,
      tx_hash: entry.tx_hash,
      created_at: entry.created_at,
      confirmed_at: entry.confirmed_at,
    };
  });
  return { transfers: await Promise.all(opened) };
}
