import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { SpendMode } from "@/lib/ledger/crypto/terms";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import type { LedgerTerms } from "./enforce-policy";
import type { PaymentSecrets } from "./payment-secrets";
import { type Proven, proveFund, provePayment } from "./prove-payment";
import type { PayerRecord } from "./read-payer";
import { type EncryptedWallet, fundSigner, resolveSigner } from "./resolve-signer";
import type { ServerSignedPayment } from "./server-signed-payment";

/** What was decided under a payment's locks. */
interface Decided {
  /** The newest opening of the payer's available balance. */
  available: AvailableOpening;
  /** Set under a policy. */
  limited: { mode: SpendMode; key: EncryptedWallet; terms: LedgerTerms; counters: Uint8Array } | null;
  /** Set for a move between an account and its own agent: the receiver's side. */
  fund: { toAvailable: AvailableOpening; toSecret: Uint8Array } | null;
  deadline: bigint;
}

/**
 * Proves and signs a payment with what the API key unwraps.
 *
 * @throws ApiError `key_forbidden`, `policy_violation`, `unavailable`
 */
export async function signLocked(
  scope: Scope,
  payment: ServerSignedPayment,
  { party, viewingKey }: PayerRecord,
  secrets: PaymentSecrets,
  { available, limited, fund, deadline }: Decided,
): Promise<Proven<SignedPayment>> {
  const { payer, asset, amount, receiver, confidential, memo, seed, tag, binding } = payment;
  const to = receiver.recipient.address;
  const request = {
    scope,
    account: payer.address,
    to,
    asset: asset.address,
    available,
    amount,
    deadline,
    payerViewingKey: viewingKey,
    secret: secrets.payer,
    counters: limited?.counters,
    memo,
    seed,
    tag,
  };
  if (fund) {
    const agent = payer.type === "agent" ? payer.address : to;
    return proveFund({ ...request, ...fund }, fundSigner(scope, party, agent, secrets, deadline));
  }
  // The first policy of an account may be pending.
  const known = limited ? { ...party, record: { ...party.record, limited: true } } : party;
  const toSign = { isPublic: !confidential, limited, deadline };
  const { privateKey, route } = resolveSigner(scope, payer, known, secrets, toSign);
  const policyVersion = limited?.terms.policyVersion ?? party.record.policyVersion;
  const recipientViewingKey = receiver.key?.viewingKey;
  const terms = limited?.terms ?? null;
  return provePayment(route, { ...request, policyVersion, recipientViewingKey, binding, limited: terms }, privateKey);
}
