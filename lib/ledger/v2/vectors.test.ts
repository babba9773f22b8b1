import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../crypto/bytes";
import { hexToWord, wordToHex } from "../crypto/field";
import { deriveAgentSecret, deriveBudgetSecret, deriveViewingKey } from "../crypto/keys";
import type { Scope } from "../crypto/scope";
import { noteSaltOf } from "../crypto/seed";
import first from "../vectors.json";
import { batchPaymentSeed } from "./crypto/batch-payment-seed";
import { type BudgetOpening, budgetCommitment } from "./crypto/commitments";
import { paymentIdOf } from "./crypto/payment-id-of";
import { packLimits, policyWord } from "./crypto/policy-word";
import { noteRatchet, sealAmount } from "./crypto/ratchet";
import { requestTag } from "./crypto/request-tag";
import { packTerms } from "./crypto/terms";
import { packWindow } from "./crypto/window";
import { followRuled } from "./follow-ruled";
import { policyCall } from "./policy/policy-call";
import { policyDocumentHash, readPolicyDocument } from "./policy/policy-document";
import { leafSalt, paddingLeaf, policyWordSalt } from "./policy/policy-salts";
import { noteOfBatch, openBatchCopy } from "./seal/batch-copy";
import { openBudgetState } from "./seal/budget-state";
import { budgetOfCopy, openPayerCopy } from "./seal/payer-copy";
import { openRecipientCopy } from "./seal/recipient-copy";
import vectors from "./vectors.json";

// vectors.json fixes the bytes of the second edition, as lib/ledger/vectors.json does those of the first.

const scope = first.scope as Scope;
const [account, to, asset, agent] = [first.account, first.to, first.asset, first.agent] as [
  Address,
  Address,
  Address,
  Address,
];
const secret = deriveBudgetSecret(fromHex(first.root), scope, 1);
const viewing = deriveViewingKey(fromHex(first.root), scope);
const seed = fromHex(first.commitments.seed);
const { words, ratchet, derived, policy, sealed } = vectors;

interface Opening {
  limit: string;
  spent: string;
  day: string;
  salt: string;
}
const opened = ({ limit, spent, day, salt }: Opening): BudgetOpening => ({
  limit: BigInt(limit),
  salt: hexToWord(salt),
  window: { spent: BigInt(spent), day: BigInt(day) },
});

describe("the test vectors of the second edition", () => {
  it("fix packed values and words", () => {
    const { window, terms, budget, budget_without_window } = words;
    expect(packWindow({ spent: BigInt(window.spent), day: BigInt(window.day) })).toBe(BigInt(window.packed));
    expect(packTerms({ mode: 0, day: BigInt(terms.day) })).toBe(BigInt(terms.packed));
    const { per_payment, daily, threshold, packed, salt, word } = words.policy;
    const limits = { perPayment: BigInt(per_payment), daily: BigInt(daily), threshold: BigInt(threshold) };
    expect(packLimits(limits)).toBe(BigInt(packed));
    expect(wordToHex(policyWord({ ...limits, salt: hexToWord(salt) }))).toBe(word);
    for (const one of [budget, budget_without_window]) expect(wordToHex(budgetCommitment(opened(one)))).toBe(one.word);
    expect(budget_without_window.word).toBe(first.commitments.budget);
  });

  it("fix how a ruled budget is followed on chain", () => {
    const { first: start, spend, spend_public } = ratchet;
    const [note, amount] = [hexToWord(spend.note), BigInt(spend.amount)];
    const step = noteRatchet(hexToWord(start.salt), note);
    expect(wordToHex(step.pad)).toBe(spend.pad);
    expect(wordToHex(sealAmount(amount, step.pad))).toBe(spend.sealed);
    const paid = followRuled(opened(start), {
      newBudget: hexToWord(spend.next.word),
      terms: BigInt(spend.terms),
      note,
      sealedAmount: hexToWord(spend.sealed),
    });
    expect(paid).toEqual({ amount, budget: opened(spend.next) });
    const last = followRuled(opened(spend.next), {
      newBudget: hexToWord(spend_public.next.word),
      terms: BigInt(spend_public.terms),
      amount: BigInt(spend_public.amount),
    });
    expect(last?.budget).toEqual(opened(spend_public.next));
  });

  it("fix what is derived from seeds and secrets", () => {
    expect(paymentIdOf(seed, scope)).toBe(derived.payment_id);
    expect(toHex(batchPaymentSeed(seed, scope, 3))).toBe(derived.batch_seed_3);
    expect(toHex(requestTag(secret, scope, account, derived.idempotency_key))).toBe(derived.request_tag);
    const agentSecret = deriveAgentSecret(secret, agent, scope);
    expect(toHex(requestTag(agentSecret, scope, agent, derived.idempotency_key))).toBe(derived.request_tag_of_agent);
  });

  it("fix a policy's document, hash, words and recipients", () => {
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
    expect([call.words.map(wordToHex), call.recipientsRoot]).toEqual([policy.words, policy.recipients_root]);
    expect(wordToHex(policyWordSalt(policySalt, document, asset))).toBe(policy.word_salt);
    expect(toHex(leafSalt(policySalt, document, to))).toBe(policy.leaf_salt);
    expect(toHex(paddingLeaf(policySalt, document, 0))).toBe(policy.padding_leaf_0);
    expect(call.tree.proofOf(to)).toEqual({ leafSalt: policy.leaf_salt, path: policy.path });
  });

  it("fix the copies and states: each opens to what is stated", async () => {
    const budget = opened(sealed.budget);
    const ref = { scope, account, asset, commitment: hexToWord(sealed.budget.word) };
    const { amount, note, note_salt } = ratchet.spend;
    const noteRef = { scope, account: to, asset, commitment: hexToWord(note) };
    expect(await openRecipientCopy(viewing.secret, noteRef, fromHex(sealed.recipient_copy))).toEqual({
      amount: BigInt(amount),
      salt: hexToWord(note_salt),
      binding: fromHex(sealed.binding),
    });
    expect(wordToHex(noteSaltOf(seed, noteRef, BigInt(amount)))).toBe(note_salt);
    const tag = fromHex(derived.request_tag);
    const { limit, window } = budget;
    const copy = await openPayerCopy(viewing.secret, ref, fromHex(sealed.payer_copy));
    expect(copy).toEqual({ amount: BigInt(amount), limit, window, seed, tag });
    expect(copy && budgetOfCopy(copy, ref, hexToWord(sealed.replaces))).toEqual(budget);
    const batch = await openBatchCopy(viewing.secret, ref, fromHex(sealed.batch_copy));
    expect(batch).toEqual({ limit, window, seed, tag, amounts: sealed.batch_amounts.map(BigInt) });
    expect(batch && noteOfBatch(batch, noteRef, 0)).toBeNull();
    expect(openBudgetState(secret, ref, fromHex(sealed.state))).toEqual({
      ...budget,
      counters: fromHex(sealed.state_counters),
    });
  });
});
