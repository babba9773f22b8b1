import { isValidSignature } from "@/lib/chain/erc1271";
import { hasSignerAt, isSignerAt, type LedgerParty, walletOf } from "@/lib/ledger/authority/ledger-record";
import { type LedgerCall, maySign } from "@/lib/ledger/authority/may-sign";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import type { PreparedDocument } from "@/lib/ledger/prepare/documents";
import { preparedCall } from "@/lib/ledger/prepare/prepared-call";
import { keyBehind } from "@/lib/ledger/prepare/signature";
import type { ChainId } from "@/lib/network";
import { agentEnded } from "@/lib/payment-errors";
import { refusePrepared } from "./check-prepared";
import { spenderExpired } from "./spender-until";

/**
 * Throws unless the document is signed by someone from whom the ledger takes it: a key that may sign it up to its
 * deadline, else the wallet where that is a contract (ERC-1271).
 *
 * @param party whom the document's struct names: of a `fund` the agent, whichever side that is
 * @returns whether a contract signed: its call burns more gas
 * @throws ApiError `invalid_request` naming the signature, `key_forbidden` (an expired signing key), `policy_violation`
 *   (an agent that has ended), `unavailable`
 */
export async function checkSignature(
  chainId: ChainId,
  scope: Scope,
  document: PreparedDocument,
  party: LedgerParty | null,
): Promise<{ byContract: boolean }> {
  const refused = refusePrepared(
    "signature",
    "Sign the document with the account's wallet or its current payment signing key.",
  );
  if (!party) throw refused;
  const { digest, typedData } = preparedCall(scope, document);
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
  if (key && isSignerAt(signer, key, 0n) && !hasSignerAt(signer, until)) throw spenderExpired();
  throw refused;
}
