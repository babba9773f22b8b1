import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { availableBalances, availableStates, reservations } from "@/db/schema/ledger";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import { assetByAddress } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { broadcast } from "@/lib/chain/broadcast";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { readParty } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import { EMPTY_NOTE } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { SignedMakeAvailable } from "@/lib/ledger/prepare/documents";
import { availableDeposited, availableNotes, nextNonce, readReserved } from "./available";
import {
  availableChanged,
  checkByClock,
  checkCommitments,
  checkDeadline,
  checkProof,
  refuseDocument,
} from "./check-document";
import { checkSignature } from "./check-signature";
import { type AvailableId, lockAvailable, newestState } from "./lock";
import type { MakeAvailableInput } from "./schema";

const EMPTY_NOTE_HEX = commitmentToHex(EMPTY_NOTE);

/**
 * Checks and relays a move to the available balance that the owner's client built and the owner's wallet signed. It
 * adds the new state on top of the newest one in the log of states, under the same lock as payments.
 *
 * @throws ApiError `invalid_request` naming the field; `available_balance_changed` if available balance, nonce, notes
 *   or deposited money are no longer what the document says, or another client holds the balance lock; `rate_limited`,
 *   `unavailable`
 */
export async function makeAvailable(ctx: SessionContext, input: MakeAvailableInput): Promise<SubmittedOperation> {
  const { chainId, account } = ctx;
  const { client_signed: document } = input;
  if (document.account !== account.address)
    throw refuseDocument("account", "Make money available in your own account.");
  if (!assetByAddress(chainId, document.asset)) throw refuseDocument("asset", "This asset is not offered.");
  const deadline = await checkByClock(() => checkDeadline(document.deadline, new Date()));
  checkCommitments(document);
  const availableId = { chainId, account: account.address, asset: document.asset };
  // Verifying a proof is expensive, so skip documents whose available balance commitment is outdated (a repeated one,
  // for example). The commitment is checked again under the lock.
  if ((await newestState(db(), availableId)).commitment !== document.old_available) throw availableChanged();
  const scope = await scopeOf(chainId);
  const { byContract } = await checkSignature(chainId, scope, document, await readParty(chainId, account.address));
  await checkProof(scope, document);
  const secretVersion = await secretVersionOf(chainId, account);
  const operation = await db().transaction(async (tx) => {
    const held = await lockAvailable(tx, availableId);
    const locked = held && held.left > 0;
    if (locked && held.token !== input.lock_token) throw availableChanged();
    if ((await secretVersionOf(chainId, account, tx)) !== secretVersion) throw secretRotated();
    const newest = await newestState(tx, availableId);
    await checkInputs(tx, availableId, newest.commitment, document);
    await tx
      .update(availableBalances)
      .set({ lockToken: null, lockUntil: null })
      .where(
        and(
          eq(availableBalances.chainId, chainId),
          eq(availableBalances.account, availableId.account),
          eq(availableBalances.asset, availableId.asset),
        ),
      );
    const call = { target: scope.ledger, data: documentCalldata(document) };
    return submitOperation(
      tx,
      {
        chainId,
        kind: "make_available",
        account: account.address,
        quotaOf: account.rootAddress,
        ...call,
        deadline,
        follows: newest.madeBy,
        byContract,
      },
      (submitted) => record(tx, availableId, document, secretVersion, submitted),
    );
  });
  broadcast(operation);
  return operation;
}

/**
 * Throws unless the newest available balance, the nonce, the notes and the deposited money are what the document
 * consumes.
 */
async function checkInputs(
  tx: Tx,
  availableId: AvailableId,
  newest: Hex,
  document: SignedMakeAvailable,
): Promise<void> {
  if (newest !== document.old_available) throw availableChanged();
  if ((await nextNonce(tx, availableId)) !== BigInt(document.nonce)) throw availableChanged();
  const reserved = await readReserved(tx, availableId);
  const commitments = usedNotes(document);
  if (new Set(commitments).size !== commitments.length) throw refuseDocument("notes", "Name each note once.");
  const found =
    commitments.length === 0
      ? []
      : await availableNotes(tx, availableId, reserved, { commitments, limit: commitments.length });
  if (found.length !== commitments.length) throw availableChanged();
  if ((await availableDeposited(tx, availableId, reserved)) < BigInt(document.deposited)) throw availableChanged();
}

function usedNotes(document: SignedMakeAvailable) {
  return document.notes.filter((note) => note !== EMPTY_NOTE_HEX);
}

async function record(
  tx: Tx,
  { chainId, account, asset }: AvailableId,
  document: SignedMakeAvailable,
  secretVersion: number,
  submitted: SubmittedOperation,
): Promise<void> {
  await tx.insert(availableStates).values({
    chainId,
    account,
    asset,
    oldCommitment: document.old_available,
    commitment: document.new_available,
    ...document.next_state,
    secretVersion,
    status: "pending",
    operationId: submitted.id,
    createdAt: submitted.createdAt,
  });
  await tx.insert(reservations).values({
    operationId: submitted.id,
    chainId,
    account,
    asset,
    deposited: BigInt(document.deposited),
    notes: usedNotes(document),
  });
}
