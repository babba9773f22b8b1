import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address, Hex } from "viem";
import { bigintToBytes, concat, equalBytes, fromHex, toHex, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { assertUnits } from "../crypto/field";
import { hkdf } from "../crypto/hkdf";
import { decryptFrom, encryptTo, HPKE_OVERHEAD } from "../crypto/hpke";
import { REQUEST_TAG_LENGTH } from "../crypto/request-tag";
import type { Scope } from "../crypto/scope";
import { FixedFields } from "./fixed-fields";
import { PADDED_MEMO_LENGTH, padMemo, unpadMemo } from "./memo";
import { BINDING_LENGTH, NO_BINDING } from "./recipient-copy";

const VERSION = 3;
/**
 * A payment to a note, or with a public amount. Which function of the ledger executes it is decided at the approval.
 */
const KINDS = ["transfer", "release"] as const;
const ID_LENGTH = 30; // `txn_` and a ULID
const MAC_LENGTH = 32;
const SEED_LENGTH = 32;
const TEXT_LENGTH = 3 + ID_LENGTH + 3 * 20 + 8 + SEED_LENGTH + REQUEST_TAG_LENGTH + BINDING_LENGTH + PADDED_MEMO_LENGTH;

/** Length of every encrypted payment awaiting approval, in bytes, regardless of its content. */
export const ENCRYPTED_HELD_LENGTH = TEXT_LENGTH + MAC_LENGTH + HPKE_OVERHEAD;

/** Identifies a payment awaiting approval. */
interface HeldPaymentRef {
  /** `txn_` and a ULID. */
  id: string;
  agent: Address;
  asset: Address;
}

/**
 * A payment that an agent requested above its threshold. It contains everything that the approval must preserve: what
 * the payment is for, and the request's tag, because the approver does not know the request's idempotency key.
 * Addresses in lower case, the amount in units.
 */
export interface HeldPayment extends HeldPaymentRef {
  /** The address that the recipient resolved to when the agent asked. */
  to: Address;
  amount: bigint;
  /** The payment's seed (`payment-seed.ts`). However often the payment is approved, it has the same note. */
  seed: Uint8Array;
  /** `requestTag` of the agent's request, or a random tag. */
  tag: Uint8Array;
  /** 32 bytes that say what the payment is for. */
  binding?: Uint8Array;
  memo?: string;
  kind: (typeof KINDS)[number];
}

/**
 * Returns the HPKE info: a role, then chain (32) || ledger (20) || agent (20) || asset (20) || id (30). Fixed widths
 * make it unambiguous.
 */
function infoOf(scope: Scope, { id, agent, asset }: HeldPaymentRef): Uint8Array {
  const ledger = concat(bigintToBytes(BigInt(scope.chainId), 32), fromHex(scope.ledger));
  return concat(utf8("halcyon/2/hpke/held"), ledger, fromHex(agent), fromHex(asset), utf8(id));
}

/** Returns the HMAC-SHA256 under HKDF(k_i, "held"). It proves that the agent's key, or its owner, wrote the text. */
function macOf(agentSecret: Uint8Array, scope: Scope, info: Uint8Array, text: Uint8Array): Uint8Array {
  return hmac(sha256, hkdf(agentSecret, "held", scope), concat(info, text));
}

function write(payment: HeldPayment): Uint8Array {
  const { id, agent, asset, to, amount, seed, tag, binding = NO_BINDING, memo, kind } = payment;
  assertUnits(amount, 1n);
  if (utf8(id).length !== ID_LENGTH || seed.length !== SEED_LENGTH) {
    throw new RangeError("a held payment has an id of 30 bytes and a seed of 32");
  }
  if (tag.length !== REQUEST_TAG_LENGTH || binding.length !== BINDING_LENGTH) {
    throw new RangeError("a held payment has a tag of 16 bytes and a binding of 32");
  }
  const text = concat(
    Uint8Array.of(VERSION, KINDS.indexOf(kind), memo === undefined ? 0 : 1),
    utf8(id),
    fromHex(agent),
    fromHex(to),
    fromHex(asset),
    bigintToBytes(amount, 8),
    seed,
    tag,
    binding,
    padMemo(memo ?? ""),
  );
  if (text.length !== TEXT_LENGTH) throw new RangeError("an address has 20 bytes");
  return text;
}

function read(text: Uint8Array): HeldPayment {
  const fields = new FixedFields(text);
  const [version, kindIndex = KINDS.length, hasMemo] = fields.bytes(3);
  const kind = KINDS[kindIndex];
  if (version !== VERSION || kind === undefined || (hasMemo !== 0 && hasMemo !== 1)) throw notHeld();
  const address = () => toHex(fields.bytes(20));
  const id = new TextDecoder().decode(fields.bytes(ID_LENGTH));
  const [agent, to, asset, amount] = [address(), address(), address(), fields.integer(8)];
  if (amount === 0n) throw notHeld();
  const seed = fields.bytes(SEED_LENGTH);
  const tag = fields.bytes(REQUEST_TAG_LENGTH);
  const binding = fields.bytes(BINDING_LENGTH);
  const memo = unpadMemo(fields.bytes(PADDED_MEMO_LENGTH));
  return {
    id,
    agent,
    to,
    asset,
    amount,
    seed,
    tag,
    ...(equalBytes(binding, NO_BINDING) ? {} : { binding }),
    ...(hasMemo === 1 ? { memo } : {}),
    kind,
  };
}

const notHeld = () => new DecryptionFailed("held payment");

/**
 * Encrypts a payment awaiting approval for the owner (docs/protocol.md section 3). An agent's request writes it, and
 * only the holder of `k` can decrypt it.
 *
 * @param heldPublicKey the one that was decrypted together with `agentSecret`, never one from a database row
 * @throws InvalidUnits, InvalidMemo, UnusableViewingKey
 */
export async function encryptHeld(
  heldPublicKey: Uint8Array,
  agentSecret: Uint8Array,
  scope: Scope,
  payment: HeldPayment,
): Promise<Uint8Array> {
  const info = infoOf(scope, payment);
  const text = write(payment);
  return encryptTo(heldPublicKey, info, concat(text, macOf(agentSecret, scope, info, text)));
}

/**
 * Returns the hash of a payment awaiting approval, by which a home key asks for it.
 *
 * @param note the note that its approval makes, or the payment id of a public payment
 */
export function heldDigest(id: string, encrypted: Hex, note: Hex): Uint8Array {
  return sha256(concat(utf8(id), fromHex(note), fromHex(encrypted)));
}

/**
 * Decrypts a payment awaiting approval for someone who may read it but not decide. Without `k_i` this can't check which
 * of the account's agents wrote it. It only shows that the author knew the held public key, which exists only in
 * encrypted secrets of API keys. So never approve based on it.
 *
 * @param heldSecretKey the secret half of `deriveHeldKey(k)`
 * @throws DecryptionFailed if key, reference or content differ
 */
export async function readHeld(
  heldSecretKey: Uint8Array,
  scope: Scope,
  ref: HeldPaymentRef,
  encrypted: Uint8Array,
): Promise<HeldPayment> {
  return paymentIn((await decrypted(heldSecretKey, scope, ref, encrypted)).text, ref);
}

/**
 * Decrypts and authenticates a payment awaiting approval. The result is what the agent asked for; approve exactly that.
 *
 * @param heldSecretKey the secret half of `deriveHeldKey(k)`
 * @throws DecryptionFailed if key, reference or content differ, or the content is not by this agent
 */
export async function decryptHeld(
  heldSecretKey: Uint8Array,
  agentSecret: Uint8Array,
  scope: Scope,
  ref: HeldPaymentRef,
  encrypted: Uint8Array,
): Promise<HeldPayment> {
  const { info, text, mac } = await decrypted(heldSecretKey, scope, ref, encrypted);
  if (!equalBytes(mac, macOf(agentSecret, scope, info, text))) throw notHeld();
  return paymentIn(text, ref);
}

/** Decrypts the text and its MAC, without checking the MAC. */
async function decrypted(heldSecretKey: Uint8Array, scope: Scope, ref: HeldPaymentRef, encrypted: Uint8Array) {
  if (encrypted.length !== ENCRYPTED_HELD_LENGTH) throw notHeld();
  const info = infoOf(scope, ref);
  const plain = await decryptFrom(heldSecretKey, info, encrypted).catch(() => {
    throw notHeld();
  });
  return { info, text: plain.subarray(0, TEXT_LENGTH), mac: plain.subarray(TEXT_LENGTH) };
}

/** Returns the payment in a text, after checking that it matches the reference. */
function paymentIn(text: Uint8Array, ref: HeldPaymentRef): HeldPayment {
  const payment = read(text);
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  if (payment.id !== ref.id || !same(payment.agent, ref.agent) || !same(payment.asset, ref.asset)) throw notHeld();
  return payment;
}
