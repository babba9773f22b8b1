import { paymentKeyExpired } from "@/lib/accounts/payment-key-until";
import type { ChainId } from "@/lib/base/network";
import { agentEnded } from "@/lib/base/payment-errors";
import { isValidSignature } from "@/lib/chain/erc1271";
import { hasSignerAt, isSignerAt, type LedgerParty, walletOf } from "@/lib/ledger/authority/ledger-record";
import { type LedgerCall, maySign } from "@/lib/ledger/authority/may-sign";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { documentCall } from "@/lib/ledger/prepare/document-call";
import type { SignedDocument } from "@/lib/ledger/prepare/documents";
import { keyBehind } from "@/lib/ledger/prepare/signature";
import { refuseDocument } from "./check-document";
import { neverAccepted, SignerRefused } from "./signer-refused";

/**
 * Checks that the ledger will accept the document's signature: it is by a key that may sign this document until its
 * deadline or, if the wallet is a contract, by that contract (ERC-1271).
 *
 * @param party the account that the document's struct names; for a `fund` the agent, whichever side it is on
 * @returns whether a contract signed, because verifying its signature on chain takes more gas
 * @throws ApiError `invalid_request` naming the signature, `key_forbidden` (the signing key has expired),
 *   `policy_violation` (the agent has ended), `unavailable`. Pass it through `unavailableWhileSignerChanges` if a signing key may sign.
 */
export async function checkSignature(
  chainId: ChainId,
  scope: Scope,
  document: SignedDocument,
  party: LedgerParty | null,
): Promise<{ byContract: boolean }> {
  const refused = refuseDocument(
    "signature",
    "Sign the document with the account's wallet or its current payment key.",
  );
  if (!party) throw refused;
  const { digest, typedData } = documentCall(scope, document);
  const { primaryType: struct } = typedData;
  const call = ("mode" in document ? { struct, mode: document.mode } : { struct }) as LedgerCall;
  const until = BigInt(document.deadline);
  const key = await keyBehind(digest, document.signature);
  if (key && maySign(call, party, key, until)) return { byContract: false };
  const wallet = walletOf(party);
  const byWallet = maySign(call, party, wallet, until);
  if (byWallet && (await isValidSignature(chainId, wallet, digest, document.signature))) return { byContract: true };
  const { owner, record } = party;
  const ofKey = "mode" in document && document.mode !== SPEND_MODE.wallet;
  if (owner && ofKey && !hasSignerAt(record, until)) throw agentEnded();
  const signer = owner?.record ?? record;
  if (!key) throw refused;
  const holder = { address: party.address, rootAddress: wallet };
  if (isSignerAt(signer, key, 0n) && !hasSignerAt(signer, until)) {
    throw new SignerRefused({ chainId, holder, isAccepted: neverAccepted }, paymentKeyExpired());
  }
  // The first policy of an account may be pending, and counts.
  const isAccepted = (then: LedgerParty) =>
    maySign(call, { ...then, record: { ...then.record, limited: record.limited } }, key, until);
  throw new SignerRefused({ chainId, holder, isAccepted }, refused);
}
