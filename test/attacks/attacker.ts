import { hkdf as plainHkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address, Hex } from "viem";
import { ANCHOR_POSITION, relayerPositions } from "@/lib/chain/relayer";
import { decrypt } from "@/lib/ledger/crypto/aead";
import { bigintToBytes, equalBytes, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { decryptFrom } from "@/lib/ledger/crypto/hpke";
import { availableSaltOf } from "@/lib/ledger/crypto/payment-seed";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Loot, Target } from "./loot";
import { derived, fits, paymentKeyFrom, x25519PublicKey } from "./native-crypto";

/** Every HKDF label of the product. The test compares them with the sources. */
export const LABELS = [
  "viewing key",
  "knowledge",
  "authority",
  "spender key",
  "one-time key",
  "held key",
  "flag",
  "agent secret",
  "agent wallet",
  "held",
  "wrap",
  "flag wrap",
  "access wrap",
  "home wrap",
  "request key",
  "budget state",
  "blind budget state",
  "memo",
  "payment seeds",
  "payment seed",
  "renewed seed",
  "deposit nonce",
  "budget salt",
  "note salt",
  "batch payment",
  "browser setting",
  "home payouts",
  "payout key",
  "payout key seal",
  "payout fingerprint",
  "connection code",
  "open offer names",
  "open offers",
  "payout batch",
  "payout rows",
  "payment id",
  "recipient copy",
  "request secret",
  "request tag",
  "blind request tag",
  "payment",
  "held request",
  "request tag voucher",
  "policy word",
  "recipient leaf",
  "padding leaf",
  "shown funds",
  "payment challenge",
  "schedule",
  "schedule run",
  "schedule run tag",
  "root by wallet",
  "root by recovery code",
  "root by second wallet",
  "request fingerprint",
  "idempotency fingerprint",
  "idempotency answer",
] as const;

/** What everyone knows. */
export interface Ledger {
  scope: Scope;
  /** The accounts whose secrets may be derived from an owner's. */
  accounts: Address[];
}

/** What an attacker has broken: decrypted ciphertexts with their plaintext, and keys that can sign payments. */
export interface Broken {
  opened: Map<Target, Uint8Array>;
  signers: Hex[];
}

function unique(values: Uint8Array[]): Uint8Array[] {
  return [...new Map(values.map((value) => [nameOf(value), value])).values()];
}

/** Returns the interpretations of a text: itself, and its bytes decoded from hex or base64. */
function readings(text: string): Uint8Array[] {
  const hex = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(text)?.[1];
  return [
    utf8(text),
    ...(hex ? [Buffer.from(hex, "hex")] : []),
    ...(/^[\w+/-]{22,}={0,2}$/.test(text) ? [Buffer.from(text, "base64")] : []),
  ];
}

/**
 * Returns bytes that may be, or contain, a key: themselves, and their 32-byte words, also after a function selector.
 */
function words(bytes: Uint8Array): Uint8Array[] {
  const found = bytes.length <= 128 ? [bytes] : [];
  for (const start of [0, 4]) {
    for (let at = start; at + 32 <= bytes.length; at += 32) found.push(bytes.slice(at, at + 32));
  }
  return found;
}

function materialsOf(value: unknown): Uint8Array[] {
  if (value instanceof Uint8Array) return words(value);
  if (typeof value === "string") return readings(value).flatMap(words);
  if (value instanceof Date || value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(materialsOf);
}

/** Anything shorter could be guessed and needs no theft. */
const isSecret = ({ length }: Uint8Array) => length >= 16;

/** Returns everything in the loot that could be a secret. */
export function materialsIn(loot: Loot): Uint8Array[] {
  return unique([...loot.values()].flat().flatMap(materialsOf)).filter(isSecret);
}

/** Returns everything in the server's environment, and the relayers' keys derived from its seed. */
export function materialsInEnvironment(environment: Record<string, string>): Uint8Array[] {
  const seed = Buffer.from(environment.RELAYER_SEED ?? "", "hex");
  const relayers = [46630, 4663].flatMap((chainId) =>
    [...relayerPositions(), ANCHOR_POSITION].map((position) =>
      plainHkdf(sha256, seed, undefined, utf8(`halcyon/1/relayer/${chainId}/${position}`), 32),
    ),
  );
  const parts = Object.values(environment).flatMap((value) => [value, ...value.split(/[:/@,]+/)]);
  return unique([...parts.flatMap(readings), ...relayers]).filter(isSecret);
}

/** Of the account secret: no account here has rotated it. */
const FIRST_VERSION = "1";

/** What a secret may be for one half of the account secret. */
interface Half {
  /** It is that half itself, or an account key from which the half is derived. */
  own: Uint8Array[];
  /** Also with the halves of agents derived from these. */
  all: Uint8Array[];
}

/** Returns what a secret may be, by half. Each is derived when it is first needed: attackers try many secrets. */
function secretsFrom(secret: Uint8Array, { scope, accounts }: Ledger): { knowledge(): Half; authority(): Half } {
  const lazily = (name: "knowledge" | "authority") => {
    let half: Half | undefined;
    return () => {
      if (half) return half;
      const own = [secret, derived(secret, name, scope, FIRST_VERSION)];
      const ofAgents = own.flatMap((each) =>
        accounts.map((agent) => derived(each, "agent secret", scope, agent.toLowerCase())),
      );
      half = { own, all: [...own, ...ofAgents] };
      return half;
    };
  };
  return { knowledge: lazily("knowledge"), authority: lazily("authority") };
}

/**
 * Returns the keys of one label derived from a secret: as the key itself, an account key, an account secret or a seed.
 */
function keysOf(label: string, secrets: ReturnType<typeof secretsFrom>, scope: Scope): Uint8Array[] {
  const half = label === "agent wallet" ? secrets.authority() : secrets.knowledge();
  const ofAgents = label === "budget state" || label === "flag" || label === "agent wallet";
  const from = ofAgents ? half.all : [...half.own];
  if (label === "memo") {
    const [secret = new Uint8Array()] = half.own;
    // A note's salt also depends on its amount, which an attacker has to guess.
    from.push(bigintToBytes(availableSaltOf(secret, scope, 0n), 32));
  }
  return [...from, ...from.map((each) => derived(each, label, scope))].filter(({ length }) => length === 32);
}

/** Returns a secret and everything derived from it by every label. Each is tried as a secret too. */
export function withDerived(secret: Uint8Array, scope: Scope): Uint8Array[] {
  return [secret, ...LABELS.map((label) => derived(secret, label, scope))];
}

/** Caches the curve operations, because the attackers of a test file try mostly the same secrets. */
function kept<T>(derive: (secret: Uint8Array, scope: Scope) => T): (secret: Uint8Array, scope: Scope) => T {
  const known = new Map<string, T>();
  return (secret, scope) => {
    const name = nameOf(secret, scope.chainId, scope.ledger);
    const found = known.get(name) ?? derive(secret, scope);
    known.set(name, found);
    return found;
  };
}

const nameOf = (...parts: (Uint8Array | string | number)[]) =>
  parts.map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString("base64") : part)).join();

/** HPKE needs the private key itself, so it is enough to check whose private key a secret is. */
const x25519KeysFrom = kept((secret, scope) => {
  const secrets = [
    ...(secret.length === 32 ? [secret] : []),
    derived(secret, "viewing key", scope),
    derived(secret, "held key", scope),
    derived(derived(secret, "knowledge", scope, FIRST_VERSION), "held key", scope),
  ];
  return secrets.map((each) => ({ secret: each, publicKey: x25519PublicKey(each) }));
});

/** Returns the private keys that a secret may be, or from which they are derived. */
const signingKeysFrom = kept((secret, scope): Hex[] => [
  ...(secret.length === 32 ? [toHex(secret)] : []),
  paymentKeyFrom(secret, scope),
  paymentKeyFrom(derived(secret, "authority", scope, FIRST_VERSION), scope),
]);

/** Which secrets don't decrypt which ciphertext. That never changes, so no attacker of a test file tries it again. */
const futile = new Map<string, Set<string>>();

/** Returns a name that includes everything that decides whether a secret decrypts the target. */
const targetName = (target: Target) =>
  "aad" in target
    ? nameOf(target.label, target.encrypted, target.aad)
    : nameOf(target.encrypted, target.info, target.publicKey);

const names = new WeakMap<Target, string>();

/** Returns the cache for a target. Created once, since it is looked up for each secret. */
function futileFor(target: Target, { scope, accounts }: Ledger): Set<string> {
  const name = names.get(target) ?? nameOf(targetName(target), scope.chainId, scope.ledger, ...accounts);
  names.set(target, name);
  const known = futile.get(name) ?? new Set();
  futile.set(name, known);
  return known;
}

/** Prepares a secret for attempts: derives its keys once for each label. */
function attemptWith(secret: Uint8Array, ledger: Ledger): (target: Target) => Promise<Uint8Array | null> {
  const keys = new Map<string, Uint8Array[]>();
  const name = nameOf(secret);
  let secrets: ReturnType<typeof secretsFrom> | undefined;
  let pairs: ReturnType<typeof x25519KeysFrom> | undefined;
  const open = async (target: Target) => {
    if (!("aad" in target)) {
      pairs ??= x25519KeysFrom(secret, ledger.scope);
      const pair = pairs.find(({ publicKey }) => equalBytes(publicKey, target.publicKey));
      return pair ? decryptFrom(pair.secret, target.info, target.encrypted) : null;
    }
    secrets ??= secretsFrom(secret, ledger);
    if (!keys.has(target.label)) keys.set(target.label, keysOf(target.label, secrets, ledger.scope));
    for (const key of keys.get(target.label) ?? []) {
      if (!fits(key, target)) continue;
      try {
        return decrypt(key, target.aad, target.encrypted, target.kind);
      } catch {}
    }
    return null;
  };
  return async (target) => {
    const known = futileFor(target, ledger);
    if (known.has(name)) return null;
    const text = await open(target);
    if (!text) known.add(name);
    return text;
  };
}

/**
 * Tries every secret, itself and through every derivation, on every ciphertext and as the key of every authority on the
 * ledger. Searches what decrypts for further secrets, until nothing new is found. A ciphertext with two layers counts
 * once both are decrypted.
 *
 * @param authorities private keys whose signatures the ledger accepts: to recognize one costs less than its address
 */
export async function breakIn(
  targets: readonly Target[],
  authorities: readonly Hex[],
  stolen: readonly Uint8Array[],
  ledger: Ledger,
): Promise<Broken> {
  const opened: Broken["opened"] = new Map();
  const signers = new Set<Hex>();
  const layers = new Map(targets.map((target) => [target, target]));
  const queue = [...stolen];
  const tried = new Map<string, Uint8Array>();
  // Nearly every attempt throws an error that no one reads, so skip the stack traces.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (let secret = queue.pop(); secret; secret = queue.pop()) {
    if (tried.has(nameOf(secret))) continue;
    tried.set(nameOf(secret), secret);
    const attempt = attemptWith(secret, ledger);
    for (const [target, layer] of layers) {
      let text = await attempt(layer);
      if (text && "inner" in layer && layer.inner) {
        const inner = layer.inner(text);
        layers.set(target, inner);
        text = null;
        for (const earlier of tried.values()) text ??= await attemptWith(earlier, ledger)(inner);
      }
      if (!text) continue;
      layers.delete(target);
      opened.set(target, text);
      // Keys can be anywhere in short texts; long texts are memos and responses.
      const windows = text.length <= 128 ? text.length - 31 : 0;
      for (let at = 0; at < windows; at++) queue.push(text.slice(at, at + 32));
    }
    for (const key of signingKeysFrom(secret, ledger.scope)) if (authorities.includes(key)) signers.add(key);
  }
  Error.stackTraceLimit = stackTraceLimit;
  return { opened, signers: [...signers] };
}
