import { assetBySymbol } from "@/lib/assets";
import type { BeforeCommit, Context } from "@/lib/auth/context";
import { newestState } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { broadcast } from "@/lib/chain/broadcast";
import { scopeOf } from "@/lib/chain/scope";
import { ApiError } from "@/lib/errors";
import type { PreparedPayment } from "@/lib/ledger/documents";
import {
  budgetChanged,
  checkDeadline,
  checkNewNote,
  checkProof,
  checkSignature,
  checkWords,
  refusePrepared,
  secretVersionOf,
} from "./check-prepared";
import { findReceiver } from "./receiving";
import { recordTransfer } from "./record-transfer";
import type { TransferView } from "./transfer-view";

/** A payment the client has proven and signed; `to` as the person named it. */
export interface PreparedTransferInput {
  to: string;
  asset?: string;
  confidential: boolean;
  prepared: PreparedPayment;
  lease_token?: string;
}

/**
 * Checks and relays a payment that the client prepared (docs/protocol.md section 7), and records it as any other. The
 * service learns no amount that is not public.
 *
 * @throws invalid_request naming the field, key_forbidden (an agent's key), recipient_not_found,
 * recipient_not_confidential_ready, budget_changed, rate_limited, unavailable
 */
export async function createPreparedTransfer(
  ctx: Context,
  input: PreparedTransferInput,
  beforeCommit: BeforeCommit<TransferView>,
): Promise<TransferView> {
  const { chainId, account } = ctx;
  const { prepared: document } = input;
  if (account.type === "agent") {
    throw new ApiError("key_forbidden", "An agent's key sends plain payments only: its policy must see them.");
  }
  const asset = assetBySymbol(chainId, input.asset);
  if (document.account !== account.address) throw refusePrepared("account", "Prepare payments of your own account.");
  if (document.asset !== asset.address) throw refusePrepared("asset", "The document is for another asset.");
  if (input.confidential !== (document.kind !== "release")) {
    throw new ApiError("invalid_request", "A prepared release is public, every other payment confidential.", {
      param: "confidential",
    });
  }
  checkDeadline(document.deadline, new Date());
  checkWords(document);
  const { recipient, key } = await findReceiver(chainId, account, input.to, input.confidential);
  if (document.to !== recipient.address) {
    throw refusePrepared("to", "The document pays another address than `to` stands for. Pin the right one.");
  }
  const ownAgent = recipient.account?.type === "agent" && recipient.account.rootId === account.id;
  if ((document.kind === "fund") !== ownAgent && document.kind !== "release") {
    throw refusePrepared("kind", "Money moves to an own agent by `fund`, to everybody else by `transfer`.");
  }
  const scope = await scopeOf(chainId);
  await checkSignature(scope, chainId, document, [account.address], account.address);
  await checkProof(scope, document);
  const secretVersion = await secretVersionOf(chainId, account);

  const place = { chainId, account: account.address, asset: asset.address };
  const toPlace = { ...place, account: recipient.address };
  const places = document.kind === "fund" ? [place, toPlace] : [place];
  const { operation, view } = await withBudgets(
    places,
    async (tx) => {
      if ((await newestState(tx, place)).word !== document.old_budget) throw budgetChanged();
      if (document.kind === "fund" && (await newestState(tx, toPlace)).word !== document.to_old_budget) {
        throw budgetChanged();
      }
      await checkNewNote(tx, chainId, document);
      const recorded = await recordTransfer(tx, {
        chainId,
        payer: account,
        recipient,
        to: input.to,
        document,
        secretVersion,
        keyId: ctx.actor === "key" ? ctx.keyId : null,
        prepared: true,
        afterRecipient: key?.pending === true,
      });
      await beforeCommit(tx, recorded.view);
      return recorded;
    },
    input.lease_token,
  );
  broadcast(operation);
  return view;
}
