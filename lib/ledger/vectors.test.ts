import type { Address, Hex } from "viem";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "./crypto/bytes";
import { budgetCommitment, EMPTY_BUDGET, EMPTY_NOTE, noteCommitment } from "./crypto/commitments";
import { hexToWord, wordToHex } from "./crypto/field";
import { hkdf } from "./crypto/hkdf";
import {
  deriveAgentSecret,
  deriveBudgetSecret,
  deriveFlagKey,
  deriveHeldKey,
  deriveSpender,
  deriveViewingKey,
} from "./crypto/keys";
import { parseRecoveryCode } from "./crypto/recovery-code";
import type { Scope } from "./crypto/scope";
import { budgetSaltOf, deriveSeedKey, noteSaltOf, paymentSeed } from "./crypto/seed";
import { balanceContext } from "./decryption-proof";
import { LEDGER_TYPES, type LedgerMessages, type LedgerStruct } from "./prepare/struct-types";
import { ctxOf, digestOf } from "./prepare/structs";
import { openAgentWallet } from "./seal/agent-wallet";
import { hashApiKey, parseApiKey, unwrapFlagKey, unwrapSecret } from "./seal/api-key";
import { openBudgetState, openFlag } from "./seal/budget-state";
import { openHeld } from "./seal/held";
import { openNoteMemo, openPayerMemo, openRecipientMemo } from "./seal/memo";
import { budgetOfCopy, noteOfCopy, openPayerCopy } from "./seal/payer-copy";
import { openRecipientCopy } from "./seal/recipient-copy";
import { openRoot } from "./seal/seal-root";
import vectors from "./vectors.json";

// vectors.json fixes the bytes of the protocol. Another implementation reads it as this file does: derive the keys
// and words from `root`, `seed` and `scope` and compare; open every sealed text and compare what it holds; compute
// every struct's digest. Anyone who passes can read and be read by this one. A change here is a change of protocol.

const scope = vectors.scope as Scope;
const account = vectors.account as Address;
const to = vectors.to as Address;
const asset = vectors.asset as Address;
const agent = vectors.agent as Address;
const { keys, commitments, sealed, unlock } = vectors;
const root = fromHex(vectors.root);
const secret = deriveBudgetSecret(root, scope, 1);
const viewing = deriveViewingKey(root, scope);
const seed = fromHex(commitments.seed);
const amount = BigInt(commitments.amount);
const limit = BigInt(commitments.limit);
const oldBudget = hexToWord(commitments.old_budget);
const noteRef = { scope, account: to, asset, commitment: hexToWord(commitments.note) };
const budgetRef = { scope, account, asset, commitment: hexToWord(commitments.budget) };

describe("the test vectors", () => {
  it("fix every derived key", () => {
    const spender = deriveSpender(secret, scope);
    const held = deriveHeldKey(secret, scope);
    const { hkdf: example, ...derived } = keys;
    expect({
      viewing_secret: toHex(viewing.secret),
      viewing_public: toHex(viewing.publicKey),
      budget_secret_1: toHex(secret),
      budget_secret_2: toHex(deriveBudgetSecret(root, scope, 2)),
      spender_private: spender.privateKey,
      spender_address: spender.address,
      held_secret: toHex(held.secret),
      held_public: toHex(held.publicKey),
      flag_key: toHex(deriveFlagKey(secret, scope)),
      agent_secret: toHex(deriveAgentSecret(secret, agent, scope)),
      seed_key: toHex(deriveSeedKey(root, scope)),
    }).toEqual(derived);
    const options = { extra: example.extra, length: Number(example.length) };
    expect(toHex(hkdf(fromHex(example.secret), example.label, scope, options))).toBe(example.output);
  });

  it("fix salts and commitments", () => {
    const { idempotency_key } = commitments;
    expect(toHex(paymentSeed(deriveSeedKey(root, scope), scope, account, idempotency_key))).toBe(commitments.seed);
    const budgetSalt = budgetSaltOf(seed, scope, oldBudget);
    const noteSalt = noteSaltOf(seed, noteRef, amount);
    expect([EMPTY_NOTE, EMPTY_BUDGET, budgetSalt, noteSalt].map(wordToHex)).toEqual([
      commitments.empty_note,
      commitments.empty_budget,
      commitments.budget_salt,
      commitments.note_salt,
    ]);
    expect(wordToHex(noteCommitment({ amount, salt: noteSalt }))).toBe(commitments.note);
    expect(wordToHex(budgetCommitment({ limit, salt: budgetSalt }))).toBe(commitments.budget);
  });

  it("fix the copies, states, flags and memos: each opens to what is stated", async () => {
    const salt = hexToWord(commitments.note_salt);
    expect(await openRecipientCopy(viewing.secret, noteRef, fromHex(sealed.recipient_copy))).toEqual({
      amount,
      salt,
    });
    const copy = await openPayerCopy(viewing.secret, budgetRef, fromHex(sealed.payer_copy));
    expect(copy).toEqual({ amount, limit, seed });
    expect(copy && noteOfCopy(copy, noteRef)).toEqual({ amount, salt });
    const budgetSalt = hexToWord(commitments.budget_salt);
    expect(copy && budgetOfCopy(copy, budgetRef, oldBudget)).toEqual({ limit, salt: budgetSalt });
    expect(openBudgetState(secret, budgetRef, fromHex(sealed.state))).toEqual({
      limit,
      salt: hexToWord(commitments.budget_salt),
      counters: fromHex(sealed.state_counters),
    });
    expect(openFlag(deriveFlagKey(secret, scope), budgetRef, fromHex(sealed.flag))).toBe(true);
    expect(openNoteMemo(scope, noteRef.commitment, salt, fromHex(sealed.note_memo))).toBe(sealed.memo);
    expect(openPayerMemo(scope, budgetRef.commitment, seed, fromHex(sealed.payer_memo))).toBe(sealed.memo);
    const memoRef = { ...budgetRef, account: to };
    expect(await openRecipientMemo(viewing.secret, memoRef, fromHex(sealed.recipient_memo))).toBe(sealed.memo);
  });

  it("fix API keys, their hash and wraps", () => {
    const { text, sha256, wrap, flag_wrap } = vectors.api_key;
    const ref = { scope, holder: account, version: Number(vectors.api_key.version) };
    expect(parseApiKey(text).chainId).toBe(46630);
    expect(toHex(hashApiKey(text))).toBe(sha256);
    expect(toHex(unwrapSecret(text, ref, fromHex(wrap)).secret)).toBe(keys.budget_secret_1);
    expect(toHex(unwrapFlagKey(text, ref, fromHex(flag_wrap)))).toBe(keys.flag_key);
  });

  it("fix an agent's sealed wallet key and a held payment", async () => {
    const { agent_wallet, held } = vectors;
    const agentSecret = deriveAgentSecret(secret, agent, scope);
    expect(openAgentWallet(agentSecret, { scope, agent }, fromHex(agent_wallet.sealed))).toBe(agent_wallet.private_key);
    const ref = { id: held.id, agent, asset };
    expect(await openHeld(deriveHeldKey(secret, scope).secret, agentSecret, scope, ref, fromHex(held.sealed))).toEqual({
      ...ref,
      to,
      amount: BigInt(held.amount),
      seed: fromHex(held.seed),
      memo: held.memo,
      kind: held.kind,
    });
  });

  it("fix the sealed root, by wallet and by recovery code", () => {
    const blob = fromHex(unlock.sealed_root);
    expect(toHex(parseRecoveryCode(unlock.recovery_code))).toBe(unlock.recovery_code_bytes);
    expect(openRoot(blob, scope, account, { signature: unlock.signature as Hex })).toEqual(root);
    expect(openRoot(blob, scope, account, { recoveryCode: unlock.recovery_code })).toEqual(root);
  });

  it.each(Object.keys(LEDGER_TYPES) as LedgerStruct[])("fix the digest and ctx of %s", (name) => {
    const { message, digest, ctx } = vectors.structs[name];
    const integer = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(integer) : /^\d+$/.test(String(value)) ? BigInt(String(value)) : value;
    const read = Object.fromEntries(Object.entries(message).map(([field, value]) => [field, integer(value)]));
    expect(digestOf(scope, name, read as unknown as LedgerMessages[typeof name])).toBe(digest);
    expect(wordToHex(ctxOf(digest as Hex))).toBe(ctx);
  });

  it("fix the context of balance proofs", () => {
    const { block, issued_at, ctx } = vectors.balance_context;
    expect(wordToHex(balanceContext(scope, account, asset, BigInt(block), BigInt(issued_at)))).toBe(ctx);
  });
});
