import type { Address, Hex } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex, toHex, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { hashApiKey, type KeyWrapRef, keyWrapAad } from "./api-key";
import { FixedFields } from "./fixed-fields";
import { homeWrapKey, requestKeyOf } from "./home-key";

const VERSION = 1;
/** An account has a few assets; the service lists no more. */
const MAX_ASSETS = 64;

/** Whose a blind key is. No schedule has one. */
type BlindKeyPlace = Omit<KeyWrapRef, "schedule">;

/** Identifies a blind key: whose it is, and the public half of its request key. */
export interface BlindKeyRef extends BlindKeyPlace {
  requestKey: Uint8Array;
}

/** An asset as the owner's client checked it on its own node when it created the key. */
export interface HomeAsset {
  symbol: string;
  address: Address;
  decimals: number;
  unit: bigint;
}

/** What a home key opens: everything that a client builds payments from and must not take from a service. */
export interface HomeContent {
  /** k, or k_i of one agent. */
  knowledge: Uint8Array;
  heldPublicKey: Uint8Array;
  /** X of the owner, for the payer's copies. */
  viewingKey: Uint8Array;
  holder: Address;
  /** The account that the holder belongs to; the holder itself for an account. */
  owner: Address;
  /** The owner's payment key. */
  paymentKey: Address;
  scope: Scope;
  assets: readonly HomeAsset[];
}

/** Length of an access wrap in bytes, as its client encrypts it. The plaintext is version (1) and authority (32). */
export const ACCESS_WRAP_LENGTH = 33 + AEAD_OVERHEAD;

/** Returns what `keyWrapAad` returns || request key (32). Both wraps of a key have it, so neither fits another key. */
export function blindKeyAad(keyHash: Uint8Array, { requestKey, ...ref }: BlindKeyRef): Uint8Array {
  if (requestKey.length !== 32) throw new RangeError("a request key is 32 bytes");
  return concat(keyWrapAad(keyHash, ref), requestKey);
}

/**
 * Encrypts authority under HKDF(key text, "access wrap"), for the service to open while a request carries the key.
 *
 * @param authority a, or a_i of one agent
 */
export function encryptAccess(text: string, ref: BlindKeyRef, authority: Uint8Array): Uint8Array {
  if (authority.length !== 32) throw new RangeError("authority is 32 bytes");
  const plain = concat(Uint8Array.of(VERSION), authority);
  return encrypt(hkdf(utf8(text), "access wrap", ref.scope), blindKeyAad(hashApiKey(text), ref), plain);
}

/**
 * Decrypts the output of `encryptAccess`.
 *
 * @throws DecryptionFailed
 */
export function decryptAccess(text: string, ref: BlindKeyRef, wrap: Uint8Array): Uint8Array {
  const key = hkdf(utf8(text), "access wrap", ref.scope);
  const plain = decrypt(key, blindKeyAad(hashApiKey(text), ref), wrap, "access wrap");
  const authority = plain.slice(1);
  const opens = plain.length === 33 && plain[0] === VERSION;
  plain.fill(0);
  if (!opens) throw new DecryptionFailed("access wrap");
  return authority;
}

/**
 * Encrypts what a client needs to build payments under HKDF(home key, "home wrap"). The service stores it and can't
 * open it.
 *
 * @param keyHash `hashApiKey` of the API key that belongs to the home key
 */
export function encryptHome(
  homeKey: string,
  keyHash: Uint8Array,
  place: BlindKeyPlace,
  content: HomeContent,
): Uint8Array {
  const { assets, scope } = content;
  if (assets.length > MAX_ASSETS) throw new RangeError(`a key knows at most ${MAX_ASSETS} assets`);
  for (const part of [content.knowledge, content.heldPublicKey, content.viewingKey]) {
    if (part.length !== 32) throw new RangeError("keys are 32 bytes each");
  }
  const plain = concat(
    Uint8Array.of(VERSION),
    content.knowledge,
    content.heldPublicKey,
    content.viewingKey,
    ...[content.holder, content.owner, content.paymentKey].map(fromHex),
    bigintToBytes(BigInt(scope.chainId), 32),
    fromHex(scope.ledger),
    fromHex(scope.domainSalt),
    Uint8Array.of(assets.length),
    ...assets.map(assetBytes),
  );
  return encrypt(homeWrapKey(homeKey, place.scope), homeAad(homeKey, keyHash, place), plain);
}

/**
 * Decrypts the output of `encryptHome`.
 *
 * @param place as the service describes the key: a description that is not the key's own decrypts nothing
 * @throws DecryptionFailed, also if the content is for another holder or ledger
 */
export function decryptHome(homeKey: string, keyHash: Uint8Array, place: BlindKeyPlace, wrap: Uint8Array): HomeContent {
  const key = homeWrapKey(homeKey, place.scope);
  const plain = decrypt(key, homeAad(homeKey, keyHash, place), wrap, "home wrap");
  try {
    const content = contentOf(plain);
    const { holder, scope } = content;
    const isHere = scope.chainId === place.scope.chainId && scope.ledger === place.scope.ledger.toLowerCase();
    if (!isHere || holder !== place.holder.toLowerCase()) throw new RangeError("the content is for another key");
    return content;
  } catch (error) {
    throw error instanceof RangeError ? new DecryptionFailed("home wrap") : error;
  } finally {
    plain.fill(0);
  }
}

/** The request key is derived here, so that no description of it is believed. */
function homeAad(homeKey: string, keyHash: Uint8Array, place: BlindKeyPlace): Uint8Array {
  return blindKeyAad(keyHash, { ...place, requestKey: requestKeyOf(homeKey, place.scope).publicKey });
}

/** Returns address (20) || decimals (1) || unit (8) || length of the symbol (1) || symbol. */
function assetBytes({ symbol, address, decimals, unit }: HomeAsset): Uint8Array {
  const name = utf8(symbol);
  if (name.length === 0 || name.length > 255) throw new RangeError("a symbol has 1 to 255 bytes");
  return concat(fromHex(address), Uint8Array.of(decimals), bigintToBytes(unit, 8), Uint8Array.of(name.length), name);
}

/** @throws RangeError if the bytes are no content */
function contentOf(plain: Uint8Array): HomeContent {
  const fields = new FixedFields(plain);
  if (fields.integer(1) !== BigInt(VERSION)) throw new RangeError("another version");
  const [knowledge, heldPublicKey, viewingKey] = [fields.bytes(32), fields.bytes(32), fields.bytes(32)];
  const address = (): Hex => toHex(fields.bytes(20));
  const [holder, owner, paymentKey] = [address(), address(), address()];
  const scope = { chainId: Number(fields.integer(32)), ledger: address(), domainSalt: toHex(fields.bytes(32)) };
  const assets = Array.from({ length: Number(fields.integer(1)) }, (): HomeAsset => {
    const [at, decimals, unit] = [address(), Number(fields.integer(1)), fields.integer(8)];
    const symbol = new TextDecoder().decode(fields.bytes(Number(fields.integer(1))));
    return { symbol, address: at, decimals, unit };
  });
  fields.end();
  return { knowledge, heldPublicKey, viewingKey, holder, owner, paymentKey, scope, assets };
}
