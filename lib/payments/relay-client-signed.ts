import type { Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import { policyTurn } from "@/lib/agents/pending-policy";
import { unavailableWhileSignerChanges } from "@/lib/agents/unavailable-while-signer-changes";
import { endLock } from "@/lib/balances/balance-lock";
import {
  availableChanged,
  checkByClock,
  checkCommitments,
  checkDeadline,
  checkProof,
  refuseDocument,
} from "@/lib/balances/check-document";
import { checkSignature } from "@/lib/balances/check-signature";
import { type AvailableId, newestState } from "@/lib/balances/lock";
import type { ContextAccount, RelayContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { SubmittedOperation } from "@/lib/chain/operations/submit-operation";
import { readParty } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import type { DetailsToClaim } from "./claim-details";
import {
  type ClientSignedAct,
  type ClientSignedRead,
  type ClientSignedTerms,
  clientSignedTerms,
  readClientSignedTerms,
} from "./client-signed-terms";
import { type AroundPayment, inPaymentTransaction } from "./payment-transaction";
import { readPayer } from "./read-payer";
import { checkNew } from "./refuse-repeated-notes";

/** A client-signed payment or batch, with its recipients. */
interface ClientSignedMove<D extends SignedPayment | SignedTransferMany> extends ClientSignedAct {
  document: D;
  /** What each payment is for. */
  details: readonly (DetailsToClaim | undefined)[];
  lockToken?: string | undefined;
  /** Signs the document in the transaction, if its client can't. */
  sign?: ((tx: Tx, party: LedgerParty) => Promise<Hex>) | undefined;
}

/** What the service adds when it records a client-signed payment. */
interface Relayed {
  secretVersion: number;
  keyId: string | null;
  clientSigned: true;
  follows: readonly string[];
  recipientProof: ClientSignedTerms["recipientProof"];
  byContract: boolean;
}

/**
 * Checks what a client has built against the newest states, the ledger and the policy, and relays it. A document
 * that the ledger would refuse is refused here.
 *
 * @param record records it in the transaction; runs when every other lock is taken
 * @throws ApiError `invalid_request` naming the field, `policy_violation`, `key_forbidden`,
 *   `available_balance_changed`, `unavailable`
 */
export async function relayClientSigned<D extends SignedPayment | SignedTransferMany, T>(
  ctx: RelayContext,
  move: ClientSignedMove<D>,
  record: (tx: Tx, relayed: Relayed, signed: D) => Promise<{ operation: SubmittedOperation; created: T }>,
  around: AroundPayment<T> = {},
): Promise<T> {
  const { chainId } = ctx;
  const { payer, asset, document, details, lockToken, sign } = move;
  const accounts = document.kind === "fund" ? [payer.address, document.to] : [payer.address];
  const availableIds = accounts.map((account) => ({ chainId, account, asset: asset.address }));
  await checkByClock(() => checkDeadline(document.deadline, new Date()));
  checkCommitments(document);
  // Verifying a proof is expensive, so first refuse one over a commitment that is not the newest. Checked again under
  // the lock below.
  await checkStates(db(), document, availableIds);
  const scope = await scopeOf(chainId);
  const party = await partyOf(ctx, payer, document);
  const { byContract } = sign
    ? { byContract: false }
    : await unavailableWhileSignerChanges(checkSignature(chainId, scope, document, party));
  await checkProof(scope, document);
  const secretVersion = await secretVersionOf(chainId, payer);
  const make = async (tx: Tx, read: ClientSignedRead) => {
    if ((await secretVersionOf(chainId, payer, tx)) !== secretVersion) throw secretRotated();
    const follows = await checkStates(tx, document, availableIds);
    await checkNew(tx, chainId, document);
    const {
      policyVersion,
      policyCommitment,
      recipientProof,
      follows: before,
    } = await clientSignedTerms(tx, move, party, read);
    if ("policy_version" in document && BigInt(document.policy_version) !== policyVersion) throw policyChanged();
    if ("policy_commitment" in document && BigInt(document.policy_commitment) !== policyCommitment)
      throw policyChanged();
    const keyId = ctx.actor === "key" ? ctx.keyId : null;
    const all = [...before, ...follows];
    const signed = sign ? { ...document, signature: await sign(tx, party) } : document;
    const relayed: Relayed = { secretVersion, keyId, clientSigned: true, follows: all, recipientProof, byContract };
    const { operation, created } = await record(tx, relayed, signed);
    // A client with a home key builds one payment under a lock. The owner's client ends its own.
    if (sign && lockToken !== undefined) {
      for (const availableId of availableIds) await endLock(tx, availableId, lockToken);
    }
    return { created, operations: [operation] };
  };
  const read = () => readClientSignedTerms(move, party);
  const turn = policyTurn(chainId, payer);
  return inPaymentTransaction(ctx, { payer, details, availableIds, lockToken, read, turn, make }, around);
}

/** Returns the account that the document's struct names: for a `fund` the agent, in either direction. */
async function partyOf(
  { chainId }: RelayContext,
  payer: ContextAccount,
  document: SignedPayment | SignedTransferMany,
): Promise<LedgerParty> {
  const refused = refuseDocument("account", "The account is not registered on the ledger.");
  if (document.kind === "fund" && payer.type !== "agent") {
    const agent = await readParty(chainId, document.to);
    if (!agent) throw refused;
    return agent;
  }
  const says = await readPayer(chainId, payer);
  if (!says) throw refused;
  const isLimited = payer.type === "agent" || says.hasPolicy;
  if (document.kind !== "fund" && document.kind !== "transfer_many" && "mode" in document !== isLimited) {
    throw refuseDocument("kind", "An account under a policy pays by `spend` and `spend_public`, no other one does.");
  }
  // The first policy of an account may be pending.
  return { ...says.party, record: { ...says.party.record, limited: isLimited } };
}

/** Checks that the document is built on the newest states. Returns the operations that make them. */
async function checkStates(
  at: Pick<Tx, "select">,
  document: SignedPayment | SignedTransferMany,
  availableIds: readonly AvailableId[],
): Promise<string[]> {
  const oldCommitments =
    document.kind === "fund" ? [document.old_available, document.to_old_available] : [document.old_available];
  const follows: string[] = [];
  for (const [index, availableId] of availableIds.entries()) {
    const { commitment, madeBy } = await newestState(at, availableId);
    if (commitment !== oldCommitments[index]) throw availableChanged();
    follows.push(...madeBy);
  }
  return follows;
}

/**
 * Returns the error for a document over another policy than the ledger has, or will have when the document gets there.
 */
function policyChanged(): ApiError {
  return new ApiError(
    "available_balance_changed",
    "The policy of this account has changed since this was signed. Build it again.",
    {
      param: "client_signed.policy_version",
    },
  );
}
