import { db, type Tx } from "@/db/client";
import { assetBySymbol } from "@/lib/assets";
import {
  budgetChanged,
  checkDeadline,
  checkNewNote,
  checkProof,
  checkSignature,
  checkWords,
  refusePrepared,
} from "@/lib/budgets/check-prepared";
import { type BudgetId, newestState } from "@/lib/budgets/lock";
import { secretRotated, secretVersionOf } from "@/lib/budgets/secret-version";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { broadcast } from "@/lib/chain/broadcast";
import { scopeOf } from "@/lib/chain/scope-of";
import type { Context, ContextAccount } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { PreparedPayment } from "@/lib/ledger/prepare/documents";
import { enforcePreparedPolicy } from "./enforce-policy";
import { isOwnersAct, isOwnMove } from "./find-payer";
import { findReceiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import type { PaymentHooks } from "./pay-server-signed";
import { recordTransfer } from "./record-transfer";

/** A payment the client has proven and signed; `to` as the person named it. */
interface PreparedTransferInput {
  to: string;
  asset?: string;
  confidential: boolean;
  prepared: PreparedPayment;
  lease_token?: string;
}

/** What else holds of a prepared payment. */
interface PreparedHooks extends PaymentHooks {
  /** The owner takes money out of the agent: no policy rules that. */
  withdrawal?: boolean;
}

/**
 * Checks and relays a payment that the client prepared (docs/protocol.md section 7), and records it as any other. The
 * service learns no amount that is not public. From an agent it is its owner's act: pause, asset, recipient and hours
 * are checked, the amount is the owner's word.
 *
 * @param payer the caller's account or one of its agents
 * @throws invalid_request naming the field, key_forbidden (an agent's key), recipient_not_found,
 * recipient_not_confidential_ready, policy_violation, budget_changed, rate_limited, unavailable
 */
export async function createPreparedTransfer(
  ctx: Context,
  payer: ContextAccount,
  input: PreparedTransferInput,
  { first, approved = false, withdrawal = false, beforeCommit = async () => {} }: PreparedHooks = {},
): Promise<CreatedTransfer> {
  const { chainId } = ctx;
  const { prepared: document } = input;
  if (!isOwnersAct(ctx)) {
    throw new ApiError(
      "key_forbidden",
      "An agent's key can't send client-signed payments, because its policy could not be checked.",
    );
  }
  const asset = assetBySymbol(chainId, input.asset);
  if (document.account !== payer.address) throw refusePrepared("account", "The document pays from another account.");
  if (document.asset !== asset.address) throw refusePrepared("asset", "The document is for another asset.");
  if (input.confidential !== (document.kind !== "release")) {
    throw new ApiError("invalid_request", "A prepared release is public, every other payment confidential.", {
      param: "confidential",
    });
  }
  checkDeadline(document.deadline, new Date());
  checkWords(document);
  const { recipient, key } = await findReceiver(chainId, payer, input.to, input.confidential);
  if (document.to !== recipient.address) {
    throw refusePrepared("to", "The document pays another address than `to` stands for. Pin the right one.");
  }
  const isFree = !approved && isOwnMove(payer, recipient);
  if ((document.kind === "fund") !== isFree && document.kind !== "release") {
    throw refusePrepared("kind", "Money moves between an account and its own agent by `fund`, else by `transfer`.");
  }
  const budgetId = { chainId, account: payer.address, asset: asset.address };
  const budgetIds = document.kind === "fund" ? [budgetId, { ...budgetId, account: recipient.address }] : [budgetId];
  // Proofs are dear: one over a word that is not the newest, spent before perhaps, is not looked at. Asked again below.
  await checkStates(db(), document, budgetIds);
  const scope = await scopeOf(chainId);
  // An agent's wallet signs what its policy allows; what its owner prepares is signed by the owner.
  await checkSignature(scope, chainId, document, [payer.rootAddress], payer.rootAddress);
  await checkProof(scope, document);
  const secretVersion = await secretVersionOf(chainId, payer);

  const { operation, created } = await withBudgets(
    budgetIds,
    async (tx) => {
      if ((await secretVersionOf(chainId, payer, tx)) !== secretVersion) throw secretRotated();
      const follows = await checkStates(tx, document, budgetIds);
      await checkNewNote(tx, chainId, document);
      if (payer.type === "agent" && !isFree && !withdrawal) {
        await enforcePreparedPolicy(tx, { payer, asset, recipient }, new Date());
      }
      const { operation: submitted, view } = await recordTransfer(tx, {
        chainId,
        payer,
        recipient,
        to: input.to,
        document,
        secretVersion,
        keyId: ctx.actor === "key" ? ctx.keyId : null,
        prepared: true,
        follows,
        afterRecipient: key?.pending === true,
      });
      const paid = { outcome: "paid" as const, transfer: view };
      await beforeCommit(tx, paid);
      return { operation: submitted, created: paid };
    },
    { leaseToken: input.lease_token, first },
  );
  broadcast(operation);
  return created;
}

/** Throws unless the document is built on the newest states. Returns the operations that make them. */
async function checkStates(
  at: Pick<Tx, "select">,
  document: PreparedPayment,
  budgetIds: readonly BudgetId[],
): Promise<string[]> {
  const oldWords = document.kind === "fund" ? [document.old_budget, document.to_old_budget] : [document.old_budget];
  const follows: string[] = [];
  for (const [index, budgetId] of budgetIds.entries()) {
    const { word, madeBy } = await newestState(at, budgetId);
    if (word !== oldWords[index]) throw budgetChanged();
    follows.push(...madeBy);
  }
  return follows;
}
