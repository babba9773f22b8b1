import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { refuseDocument } from "@/lib/balances/check-document";
import { assetBySymbol } from "@/lib/base/assets";
import type { ContextAccount, RelayContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { claimDetails, type DetailsToClaim } from "./claim-details";
import { type ExactToRecord, recordExact } from "./exact/record-exact";
import { isOwnersAct, isOwnMove } from "./find-payer";
import { findReceiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import type { AroundPayment } from "./payment-transaction";
import { recordTransfer } from "./record-transfer";
import { relayClientSigned } from "./relay-client-signed";

/** A payment that the client has proved and signed. `to` is as the user named it. */
export interface ClientSignedTransferInput {
  to: string;
  /** The recipient's address, if it is already known; then no handle is looked up. */
  address?: string;
  asset?: string;
  confidential: boolean;
  client_signed: SignedPayment;
  lock_token?: string;
  details?: DetailsToClaim;
  /** Signs the document, which a client with a home key has built without a signature. */
  sign?: (tx: Tx, party: LedgerParty) => Promise<Hex>;
  /**
   * For a payment to a seller of the scheme `exact`, which goes to a one-time address: the seller, and what it may
   * take.
   */
  exact?: { seller: Recipient; signed: ExactToRecord };
  /** Whether it is an agent's that its owner approves. */
  approved?: boolean;
  /** Whether the owner takes money out of the agent, which no policy restricts. */
  withdrawal?: boolean;
}

/**
 * Checks and relays a payment that the client has signed (docs/protocol.md section 7), and records it like any other. The
 * service learns only public amounts. A payment from an agent is its owner's act: pause, asset, recipient and hours are
 * checked here, and the ledger judges the amount.
 *
 * @param payer the caller's account or one of its agents
 * @throws ApiError `invalid_request` naming the field, `key_forbidden` (an agent's key), `recipient_not_found`,
 *   `recipient_not_confidential_ready`, `policy_violation`, `policy_not_in_force`, `available_balance_changed`,
 *   `rate_limited`, `unavailable`
 */
export async function createClientSignedTransfer(
  ctx: RelayContext,
  payer: ContextAccount,
  input: ClientSignedTransferInput,
  around: AroundPayment<CreatedTransfer> = {},
): Promise<CreatedTransfer> {
  const { chainId } = ctx;
  const { client_signed: document, approved = false, withdrawal = false } = input;
  const isBlind = input.sign !== undefined;
  if (!isBlind) requireOwnersAct(ctx);
  const asset = assetBySymbol(chainId, input.asset);
  checkPayer(document, payer, asset);
  if (input.confidential === isPublic(document)) {
    throw new ApiError("invalid_request", "A client-signed public payment is not confidential, every other one is.", {
      param: "confidential",
    });
  }
  const { recipient, key } = await findReceiver(chainId, payer, input.address ?? input.to, input.confidential);
  if (document.to !== recipient.address) {
    throw refuseDocument("to", "The document pays another address than `to` stands for. Pin the right one.");
  }
  const isMove = !approved && isOwnersAct(ctx) && isOwnMove(payer, recipient);
  if ((document.kind === "fund") !== isMove && !isPublic(document)) {
    throw refuseDocument("kind", "Money moves between an account and its own agent by `fund`, else by a payment.");
  }
  if (!isBlind && payer.type === "agent" && "mode" in document && document.mode === SPEND_MODE.agent) {
    throw refuseDocument("mode", "What its owner prepares of an agent its owner signs: in mode 1 or 2.");
  }
  const { exact } = input;
  const asked = exact ? { recipients: [exact.seller], through: recipient.address } : { recipients: [recipient] };
  const act = {
    chainId,
    payer,
    asset,
    ...asked,
    document,
    isFree: isMove || withdrawal,
    isBlind: isBlind && !approved,
  };
  return relayClientSigned(
    ctx,
    {
      ...act,
      details: [input.details],
      lockToken: input.lock_token,
      sign: input.sign,
    },
    async (tx, relayed, signed) => {
      const { confidential } = input;
      const claiming = { payer, recipient: recipient.address, asset: asset.address, confidential };
      const details = await claimDetails(tx, ctx, claiming, input.details);
      const { operation, view } = await recordTransfer(tx, {
        ...relayed,
        chainId,
        payer,
        recipient,
        to: input.to,
        details,
        document: signed,
        afterRecipient: key?.pending === true,
      });
      if (exact) await recordExact(tx, view.row, exact.signed);
      return { operation, created: { outcome: "paid" as const, transfer: view } };
    },
    around,
  );
}

/**
 * Refuses agents' keys.
 *
 * @throws ApiError `key_forbidden`
 */
function requireOwnersAct(ctx: RelayContext): void {
  if (isOwnersAct(ctx)) return;
  throw new ApiError(
    "key_forbidden",
    "An agent's key can't send client-signed payments, because its policy could not be checked.",
  );
}

/**
 * Checks that the document pays from this account and in this asset.
 *
 * @throws ApiError `invalid_request`
 */
export function checkPayer(
  document: { account: string; asset: string },
  payer: ContextAccount,
  asset: { address: string },
): void {
  if (document.account !== payer.address) throw refuseDocument("account", "The document pays from another account.");
  if (document.asset !== asset.address) throw refuseDocument("asset", "The document is for another asset.");
}

/** Reports whether a document pays a public amount. */
export function isPublic({ kind }: SignedPayment): boolean {
  return kind === "release" || kind === "spend_public";
}
