import type { Address, Hex } from "viem";
import { describe, expect, it } from "vitest";
import { batchPaymentSeed } from "./crypto/batch-payment-seed";
import { fromHex, toHex } from "./crypto/bytes";
import {
  type AvailableOpening,
  availableCommitment,
  EMPTY_AVAILABLE,
  EMPTY_NOTE,
  noteCommitment,
} from "./crypto/commitments";
import { epochPaymentSeed } from "./crypto/epoch-seed";
import { blindRequestTag } from "./crypto/epochs";
import { commitmentToHex, hexToCommitment } from "./crypto/field";
import { hkdf } from "./crypto/hkdf";
import {
  deriveAgentHalf,
  deriveAuthority,
  deriveFlagKey,
  deriveHeldKey,
  deriveKnowledge,
  derivePaymentKey,
  deriveViewingKey,
} from "./crypto/keys";
import { paymentIdOf } from "./crypto/payment-id-of";
import { availableSaltOf, deriveSeedKey, noteSaltOf, paymentSeed } from "./crypto/payment-seed";
import { packLimits, policyCommitment } from "./crypto/policy-commitment";
import { encryptAmount, noteRatchet } from "./crypto/ratchet";
import { parseRecoveryCode } from "./crypto/recovery-code";
import { requestTag } from "./crypto/request-tag";
import type { Scope } from "./crypto/scope";
import { packTerms } from "./crypto/terms";
import { NO_WINDOW, packWindow } from "./crypto/window";
import { balanceContext } from "./decryption-proof";
import { decryptAccountKey } from "./encrypted/account-key";
import { decryptAgentWallet } from "./encrypted/agent-wallet";
import { hashApiKey, parseApiKey, unwrapFlagKey, unwrapSecret } from "./encrypted/api-key";
import { decryptAvailableState, decryptFlag } from "./encrypted/available-state";
import { decryptBatchCopy, noteOfBatch } from "./encrypted/batch-copy";
import { decryptAccess, decryptHome } from "./encrypted/blind-key";
import { decryptBlindState } from "./encrypted/blind-state";
import { decryptHeld } from "./encrypted/held";
import {
  isSignedByRequestKey,
  parseHomeKey,
  payoutSecretOf,
  requestKeyOf,
  signWithRequestKey,
} from "./encrypted/home-key";
import { decryptNoteMemo, decryptPayerMemo, decryptRecipientMemo } from "./encrypted/memo";
import { availableOfCopy, decryptPayerCopy } from "./encrypted/payer-copy";
import { derivePayoutKey } from "./encrypted/payout";
import { decryptRecipientCopy, encryptRecipientCopy } from "./encrypted/recipient-copy";
import { followLimited } from "./follow-limited";
import { policyCall } from "./policy/policy-call";
import { policyDocumentHash, readPolicyDocument } from "./policy/policy-document";
import { leafSalt, paddingLeaf, policyCommitmentSalt } from "./policy/policy-salts";
import vectors from "./vectors.json";

// vectors.json fixes the bytes of the protocol. Another implementation uses it as this file does: derive the keys and
// commitments from `account_key`, `seed` and `scope` and compare them; decrypt every ciphertext and compare its
// content. An implementation that passes is compatible with this one in both directions. A change here is a change of
// the protocol.

const scope = vectors.scope as Scope;
const account = vectors.account as Address;
const to = vectors.to as Address;
const asset = vectors.asset as Address;
const agent = vectors.agent as Address;
const { keys, commitments, encrypted, unlock } = vectors;
const accountKey = fromHex(vectors.account_key);
const secret = deriveKnowledge(accountKey, scope, 1);
const authority = deriveAuthority(accountKey, scope, 1);
const viewing = deriveViewingKey(accountKey, scope);
const seed = fromHex(commitments.seed);
const amount = BigInt(commitments.amount);
const limit = BigInt(commitments.limit);
const oldAvailable = hexToCommitment(commitments.old_available);
const noteRef = { scope, account: to, asset, commitment: hexToCommitment(commitments.note) };
const availableRef = { scope, account, asset, commitment: hexToCommitment(commitments.available) };

const { packed_values: packedValues, ratchet, derived, policy } = vectors;

interface Opening {
  limit: string;
  spent: string;
  day: string;
  salt: string;
}
const opened = ({ limit, spent, day, salt }: Opening): AvailableOpening => ({
  limit: BigInt(limit),
  salt: hexToCommitment(salt),
  window: { spent: BigInt(spent), day: BigInt(day) },
});

describe("the test vectors", () => {
  it("fix every derived key", () => {
    const paymentKey = derivePaymentKey(authority, scope);
    const held = deriveHeldKey(secret, scope);
    const { hkdf: example, ...derived } = keys;
    expect({
      viewing_secret: toHex(viewing.secret),
      viewing_public: toHex(viewing.publicKey),
      knowledge_1: toHex(secret),
      knowledge_2: toHex(deriveKnowledge(accountKey, scope, 2)),
      authority_1: toHex(authority),
      authority_2: toHex(deriveAuthority(accountKey, scope, 2)),
      payment_key_private: paymentKey.privateKey,
      payment_key_address: paymentKey.address,
      held_secret: toHex(held.secret),
      held_public: toHex(held.publicKey),
      flag_key: toHex(deriveFlagKey(secret, scope)),
      agent_knowledge: toHex(deriveAgentHalf(secret, agent, scope)),
      agent_authority: toHex(deriveAgentHalf(authority, agent, scope)),
      seed_key: toHex(deriveSeedKey(accountKey, scope)),
    }).toEqual(derived);
    const options = { extra: example.extra, length: Number(example.length) };
    expect(toHex(hkdf(fromHex(example.secret), example.label, scope, options))).toBe(example.output);
  });

  it("fix salts and commitments", () => {
    const { idempotency_key } = commitments;
    expect(toHex(paymentSeed(deriveSeedKey(accountKey, scope), scope, account, idempotency_key))).toBe(
      commitments.seed,
    );
    const availableSalt = availableSaltOf(seed, scope, oldAvailable);
    const noteSalt = noteSaltOf(seed, noteRef, amount);
    expect([EMPTY_NOTE, EMPTY_AVAILABLE, availableSalt, noteSalt].map(commitmentToHex)).toEqual([
      commitments.empty_note,
      commitments.empty_available,
      commitments.available_salt,
      commitments.note_salt,
    ]);
    expect(commitmentToHex(noteCommitment({ amount, salt: noteSalt }))).toBe(commitments.note);
    expect(commitmentToHex(availableCommitment({ limit, salt: availableSalt, window: NO_WINDOW }))).toBe(
      commitments.available,
    );
  });

  it("fix flags and memos: each opens to what is stated", async () => {
    const salt = hexToCommitment(commitments.note_salt);
    expect(decryptFlag(deriveFlagKey(secret, scope), availableRef, fromHex(encrypted.flag))).toBe(true);
    expect(decryptNoteMemo(scope, noteRef.commitment, salt, fromHex(encrypted.note_memo))).toBe(encrypted.memo);
    expect(decryptPayerMemo(scope, availableRef.commitment, seed, fromHex(encrypted.payer_memo))).toBe(encrypted.memo);
    const memoRef = { ...availableRef, account: to };
    expect(await decryptRecipientMemo(viewing.secret, memoRef, fromHex(encrypted.recipient_memo))).toBe(encrypted.memo);
  });

  it("fix API keys, their hash and wraps", () => {
    const { text, sha256, wrap, flag_wrap } = vectors.api_key;
    const ref = { scope, holder: account, version: Number(vectors.api_key.version) };
    expect(parseApiKey(text).chainId).toBe(46630);
    expect(toHex(hashApiKey(text))).toBe(sha256);
    const opened = unwrapSecret(text, ref, fromHex(wrap));
    expect(Object.values(opened).map(toHex)).toEqual([keys.knowledge_1, keys.authority_1, keys.held_public]);
    expect(toHex(unwrapFlagKey(text, ref, fromHex(flag_wrap)))).toBe(keys.flag_key);
  });

  it("fix home keys, request keys and both wraps of a blind key", () => {
    const { text, request_public, access_wrap, home_wrap, content, request } = vectors.home_key;
    const [keyHash, place] = [hashApiKey(vectors.api_key.text), { scope, holder: account, version: 1 }];
    expect(parseHomeKey(text).chainId).toBe(46630);
    const { secret: requestSecret, publicKey } = requestKeyOf(text, scope);
    expect(toHex(publicKey)).toBe(request_public);
    const ref = { ...place, requestKey: publicKey };
    expect(toHex(decryptAccess(vectors.api_key.text, ref, fromHex(access_wrap)))).toBe(keys.authority_1);
    expect(decryptHome(text, keyHash, place, fromHex(home_wrap))).toEqual({
      knowledge: secret,
      heldPublicKey: fromHex(keys.held_public),
      viewingKey: viewing.publicKey,
      holder: account,
      owner: account,
      paymentKey: keys.payment_key_address.toLowerCase(),
      scope,
      assets: content.assets.map(({ unit, ...rest }) => ({ ...rest, unit: BigInt(unit) })),
    });
    const { signature, digest, idempotency_key: idempotencyKey, method, path } = request;
    const signed = { scope, keyHash, method, path, idempotencyKey, digest: fromHex(digest) };
    expect(signWithRequestKey(requestSecret, signed)).toBe(signature);
    expect(isSignedByRequestKey(publicKey, signed, fromHex(signature))).toBe(true);
  });

  it("fix the key of a payout that a home key makes", () => {
    const { text, payout } = vectors.home_key;
    const key = derivePayoutKey(payoutSecretOf(text, scope), scope, account, payout.idempotency_key);
    expect(toHex(key)).toBe(payout.key);
  });

  it("fix the tag and seeds of a request with a blind key, and the payer copy and state that it leaves", async () => {
    const { tag, epochs, payment_seeds, payer_copy, opening, commitment, made_by, policy, ...given } =
      vectors.blind_state;
    const keyHash = hashApiKey(vectors.api_key.text);
    expect(toHex(blindRequestTag(secret, scope, account, keyHash, given.idempotency_key))).toBe(tag);
    const [current, previous] = epochs.map(({ day, seed: e }) => ({ day: BigInt(day), seed: fromHex(e) }));
    if (!current || !previous) throw new Error("two epochs");
    const seeds = [0, 1].map((opened) => epochPaymentSeed(current, scope, fromHex(tag), opened));
    expect(seeds.map(toHex)).toEqual(payment_seeds);
    const ref = { scope, account, asset, commitment: hexToCommitment(commitment as Hex), madeBy: made_by as Hex };
    const limit = BigInt(opening.limit);
    const window = { spent: BigInt(opening.spent), day: BigInt(opening.day) };
    const { opened, encrypted: copy } = payer_copy;
    expect(await decryptPayerCopy(viewing.secret, ref, fromHex(copy))).toEqual({
      ...{ amount: BigInt(payer_copy.amount), limit, window, tag: fromHex(tag) },
      ...{ seed: seeds[opened], epoch: { seed: current.seed, opened } },
    });
    expect(decryptBlindState(secret, ref, fromHex(given.encrypted))).toEqual({
      opening: {
        ...{ limit, window },
        salt: BigInt(opening.salt),
      },
      epochs: { current, previous },
      policy: { version: BigInt(policy.version), hash: fromHex(policy.hash) },
      tags: [fromHex(tag)],
    });
  });

  it("fix an agent's encrypted wallet key and a held payment", async () => {
    const { agent_wallet, held } = vectors;
    const agentSecret = deriveAgentHalf(secret, agent, scope);
    const agentAuthority = deriveAgentHalf(authority, agent, scope);
    expect(decryptAgentWallet(agentAuthority, { scope, agent }, fromHex(agent_wallet.encrypted))).toBe(
      agent_wallet.private_key,
    );
    const ref = { id: held.id, agent, asset };
    expect(
      await decryptHeld(deriveHeldKey(secret, scope).secret, agentSecret, scope, ref, fromHex(held.encrypted)),
    ).toEqual({
      ...ref,
      to,
      amount: BigInt(held.amount),
      seed: fromHex(held.seed),
      tag: fromHex(held.tag),
      binding: fromHex(held.binding),
      memo: held.memo,
      kind: held.kind,
    });
  });

  it("fix the encrypted account key, by wallet and by recovery code", () => {
    const blob = fromHex(unlock.encrypted_account_key);
    expect(toHex(parseRecoveryCode(unlock.recovery_code))).toBe(unlock.recovery_code_bytes);
    expect(decryptAccountKey(blob, scope, account, { signature: unlock.signature as Hex })).toEqual(accountKey);
    expect(decryptAccountKey(blob, scope, account, { recoveryCode: unlock.recovery_code })).toEqual(accountKey);
  });

  it("fix the context of balance proofs", () => {
    const { block, issued_at, ctx } = vectors.balance_context;
    expect(commitmentToHex(balanceContext(scope, account, asset, BigInt(block), BigInt(issued_at)))).toBe(ctx);
  });

  it("fix packed values and commitments", () => {
    const { window, terms, available, available_without_window } = packedValues;
    expect(packWindow({ spent: BigInt(window.spent), day: BigInt(window.day) })).toBe(BigInt(window.packed));
    expect(packTerms({ mode: 0, day: BigInt(terms.day) })).toBe(BigInt(terms.packed));
    const { per_payment, daily, threshold, packed, salt, commitment } = packedValues.policy;
    const limits = { perPayment: BigInt(per_payment), daily: BigInt(daily), threshold: BigInt(threshold) };
    expect(packLimits(limits)).toBe(BigInt(packed));
    expect(commitmentToHex(policyCommitment({ ...limits, salt: hexToCommitment(salt) }))).toBe(commitment);
    for (const one of [available, available_without_window])
      expect(commitmentToHex(availableCommitment(opened(one)))).toBe(one.commitment);
    expect(available_without_window.commitment).toBe(commitments.available);
  });

  it("fix how a limited available balance is followed on chain", () => {
    const { first: start, spend, spend_public } = ratchet;
    const [note, amount] = [hexToCommitment(spend.note), BigInt(spend.amount)];
    const step = noteRatchet(hexToCommitment(start.salt), note);
    expect(commitmentToHex(step.pad)).toBe(spend.pad);
    expect(commitmentToHex(encryptAmount(amount, step.pad))).toBe(spend.encrypted);
    const paid = followLimited(opened(start), {
      newAvailable: hexToCommitment(spend.next.commitment),
      terms: BigInt(spend.terms),
      note,
      encryptedAmount: hexToCommitment(spend.encrypted),
    });
    expect(paid).toEqual({ amount, available: opened(spend.next) });
    const last = followLimited(opened(spend.next), {
      newAvailable: hexToCommitment(spend_public.next.commitment),
      terms: BigInt(spend_public.terms),
      amount: BigInt(spend_public.amount),
    });
    expect(last?.available).toEqual(opened(spend_public.next));
  });

  it("fix what is derived from seeds and secrets", () => {
    expect(paymentIdOf(seed, scope)).toBe(derived.payment_id);
    expect(toHex(batchPaymentSeed(seed, scope, 3))).toBe(derived.batch_seed_3);
    expect(toHex(requestTag(secret, scope, account, derived.idempotency_key))).toBe(derived.request_tag);
    const agentSecret = deriveAgentHalf(secret, agent, scope);
    expect(toHex(requestTag(agentSecret, scope, agent, derived.idempotency_key))).toBe(derived.request_tag_of_agent);
  });

  it("fix a policy's document, hash, commitments and recipients", () => {
    const policySalt = fromHex(policy.salt);
    const document = readPolicyDocument(scope, fromHex(policy.bytes));
    const { holder, version, paused, hours, zone, assets, recipients } = document;
    expect({ holder, version: String(version), paused, ...hours, zone, recipients }).toEqual({
      holder: policy.holder,
      version: policy.version,
      paused: policy.paused,
      start: policy.start,
      end: policy.end,
      zone: policy.zone,
      recipients: policy.recipients,
    });
    expect(assets.map((one) => [one.asset, one.allowed, one.perPayment, one.daily, one.threshold].map(String))).toEqual(
      policy.assets.map((one) => [one.asset, one.allowed, one.per_payment, one.daily, one.threshold].map(String)),
    );
    expect(policyDocumentHash(policySalt, document)).toBe(policy.document_hash);
    const call = policyCall(policySalt, document, policy.resolved as Address[]);
    expect([call.commitments.map(commitmentToHex), call.recipientsRoot]).toEqual([
      policy.commitments,
      policy.recipients_root,
    ]);
    expect(commitmentToHex(policyCommitmentSalt(policySalt, document, asset))).toBe(policy.commitment_salt);
    expect(toHex(leafSalt(policySalt, document, to))).toBe(policy.leaf_salt);
    expect(toHex(paddingLeaf(policySalt, document, 0))).toBe(policy.padding_leaf_0);
    expect(call.tree.proofOf(to)).toEqual({ leafSalt: policy.leaf_salt, path: policy.path });
  });

  it("fix the copies and states: each opens to what is stated", async () => {
    const available = opened(encrypted.available);
    const ref = { scope, account, asset, commitment: hexToCommitment(encrypted.available.commitment) };
    const { amount, note, note_salt } = ratchet.spend;
    const there = { scope, account: to, asset, commitment: hexToCommitment(note) };
    const received = { amount: BigInt(amount), salt: hexToCommitment(note_salt), binding: fromHex(encrypted.binding) };
    expect(await decryptRecipientCopy(viewing.secret, there, fromHex(encrypted.recipient_copy))).toEqual(received);
    expect(toHex(await encryptRecipientCopy(viewing.publicKey, there, received, seed))).toBe(encrypted.recipient_copy);
    expect(commitmentToHex(noteSaltOf(seed, there, BigInt(amount)))).toBe(note_salt);
    const tag = fromHex(derived.request_tag);
    const { limit, window } = available;
    const copy = await decryptPayerCopy(viewing.secret, ref, fromHex(encrypted.payer_copy));
    expect(copy).toEqual({ amount: BigInt(amount), limit, window, seed, tag });
    expect(copy && availableOfCopy(copy, ref, hexToCommitment(encrypted.replaces))).toEqual(available);
    const batch = await decryptBatchCopy(viewing.secret, ref, fromHex(encrypted.batch_copy));
    expect(batch).toEqual({
      limit,
      window,
      seed,
      tags: Array(16).fill(tag),
      amounts: encrypted.batch_amounts.map(BigInt),
    });
    expect(batch && noteOfBatch(batch, there, 0)).toBeNull();
    expect(decryptAvailableState(secret, ref, fromHex(encrypted.state))).toEqual({
      ...available,
      counters: fromHex(encrypted.state_counters),
    });
  });
});
