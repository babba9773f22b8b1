import { and, desc, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { transfers } from "@/db/schema/transfers";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { assetByAddress } from "@/lib/base/assets";
import type { ContextAccount, DocumentContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { type ChainId, networkOf } from "@/lib/base/network";
import type { SignedTransfer } from "@/lib/ledger/prepare/documents";
import { createClientSignedTransfer } from "@/lib/payments/create-client-signed-transfer";
import type { Facilitated, Facilitation } from "./facilitation";

/** Thrown to roll back a dry run. */
class Tried extends Error {}

/** The caller's identity for logs and limits. The signed document says who pays, not who sends it. */
export interface DocumentSender {
  requestId: string;
  clientAddress: string | null;
}

/**
 * Relays a payment that its payer has proved and signed. Anyone may submit it, because the signature authorizes only
 * this payment. Submitting the same document again does not pay again.
 *
 * @param tries checks everything but sends nothing
 */
export async function relayDocument(
  { chainId, asset, payTo, presented }: Facilitation,
  sender: DocumentSender,
  tries: boolean,
): Promise<Facilitated> {
  if (presented.mode !== "client_signed" || presented.client_signed.kind !== "transfer")
    return { refusal: "invalid_payload" };
  const { client_signed: document } = presented;
  if (document.to !== payTo) return { refusal: "wrong_payee" };
  if (document.asset !== asset) return { refusal: "wrong_asset" };
  const payer = await payerOf(document);
  if (!payer) return { refusal: "unknown_payer" };
  const before = await sentBefore(chainId, payer, document);
  if (before) return before;
  try {
    const transaction = await send({ chainId, payer, document, sender, tries });
    return { payer: document.account, transaction };
  } catch (error) {
    // Two of the seller's processes may have sent it at the same time.
    const meanwhile = await sentBefore(chainId, payer, document);
    if (meanwhile) return meanwhile;
    if (error instanceof ApiError && error.status < 500 && error.code !== "rate_limited") {
      return { refusal: "payment_refused" };
    }
    throw error;
  }
}

interface Sending {
  chainId: ChainId;
  payer: ContextAccount;
  document: SignedTransfer;
  sender: DocumentSender;
  tries: boolean;
}

async function send({ chainId, payer, document, sender, tries }: Sending) {
  const network = networkOf(chainId);
  const ctx: DocumentContext = { actor: "document", network, chainId, account: payer, ...sender };
  if (network === "live") await requireKyc(ctx);
  const asset = assetByAddress(chainId, document.asset);
  if (!asset) throw new ApiError("invalid_request", "This asset is not offered.", { param: "asset" });
  const input = { to: document.to, asset: asset.symbol, confidential: true, client_signed: document };
  const beforeCommit = async (_tx: Tx) => {
    if (tries) throw new Tried();
  };
  try {
    const created = await createClientSignedTransfer(ctx, payer, input, { beforeCommit });
    return created.outcome === "paid" ? created.transfer.row.txHash : null;
  } catch (error) {
    if (error instanceof Tried) return null;
    throw error;
  }
}

/** Returns the payer's earlier payment with the same note; null if there is none. */
async function sentBefore(
  chainId: ChainId,
  payer: ContextAccount,
  { note, to }: SignedTransfer,
): Promise<Facilitated | null> {
  const [row] = await db()
    .select({ txHash: transfers.txHash, status: transfers.status })
    .from(transfers)
    .where(
      and(
        eq(transfers.note, note),
        eq(transfers.chainId, chainId),
        eq(transfers.recipientAddress, to),
        eq(transfers.payerId, payer.id),
      ),
    )
    .orderBy(desc(transfers.createdAt))
    .limit(1);
  if (!row || row.status === "failed") return null;
  return { payer: payer.address, transaction: row.txHash };
}

async function payerOf({ account }: SignedTransfer): Promise<ContextAccount | null> {
  const [row] = await db().select().from(accounts).where(eq(accounts.address, account)).limit(1);
  if (!row || row.type === "agent") return null;
  const { id, handle, address, type, createdAt } = row;
  return { id, handle, address, type, rootId: id, rootAddress: address, createdAt };
}
