import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address, Hex } from "viem";
import { fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { type AvailableOpening, EMPTY_AVAILABLE, EMPTY_AVAILABLE_OPENING } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { hashApiKey } from "@/lib/ledger/encrypted/api-key";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { decryptHome, type HomeAsset, type HomeContent } from "@/lib/ledger/encrypted/blind-key";
import { parseHomeKey, planDigest, requestKeyOf, signWithRequestKey } from "@/lib/ledger/encrypted/home-key";
import type { SessionPolicy } from "../../account/session-policy";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import { detailsBody } from "../payment-details";
import type { SendCall } from "../send";

/** The response of `POST /v1/transfers/plan`. */
export interface BlindPlan {
  account: Address;
  secret_version: number;
  home_wrap: Hex;
  recipient: Address;
  commitment: Hex;
  state: Hex | null;
  policy: SessionPolicy | null;
  /** With `lock`: others wait until what is sent with it is made. */
  lock_token?: string;
  /** For an approval: the payment that one of the account's agents asks for. */
  held?: { agent: string; payer: Address; to: string; asset: string; ciphertext: Hex };
}

/** What a plan does to the lock of its balance: takes it for the next payment, or ends an earlier one. */
export interface LockWish {
  lock?: true;
  lock_token?: string;
}

/** What a state keeps in the place of a policy, of an account without one. */
export const NO_POLICY = { version: 0n, hash: new Uint8Array(32) };

/** What this machine has of a blind key. */
export interface Home {
  scope: Scope;
  homeKey: string;
  keyHash: Uint8Array;
  /** Signs a request with the request key. */
  sign(path: string, idempotencyKey: string, digest: Uint8Array): Hex;
}

/**
 * Returns what this machine has of the context's blind key.
 *
 * @throws HalcyonError `invalid_request` for a home key of the other network
 */
export async function homeOf(context: Context): Promise<Home> {
  const { apiKey, homeKey = "", network } = context;
  const { chainId } = parseHomeKey(homeKey);
  const scope = await context.scope();
  if (chainId !== scope.chainId) {
    throw new HalcyonError("invalid_request", `This home key is of the other network than ${network}.`, {
      param: "homeKey",
    });
  }
  const keyHash = hashApiKey(apiKey);
  const { secret } = requestKeyOf(homeKey, scope);
  return {
    scope,
    homeKey,
    keyHash,
    sign: (path, idempotencyKey, digest) =>
      signWithRequestKey(secret, { scope, keyHash, method: "POST", path, idempotencyKey, digest }),
  };
}

/**
 * Asks the service for what a payment is built from: a new one, or one that an agent asks for.
 *
 * @throws HalcyonError `unavailable` for a service of an older version, which makes no plan
 */
export async function askPlan(
  context: Context,
  { sign }: Home,
  asked: { to: string } | { transaction_id: string },
  asset = "USDG",
  wish: LockWish = {},
): Promise<BlindPlan> {
  const path = "/v1/transfers/plan";
  const [named = ""] = Object.values(asked);
  const json = { ...asked, asset, ...wish, signature: sign(path, "", planDigest(named, asset)) };
  try {
    return (await context.http.send("POST", path, { json, headers: context.bearer })).body as BlindPlan;
  } catch (error) {
    // Recipients and payments that are not there have codes of their own.
    if (!(error instanceof HalcyonError) || error.code !== "not_found") throw error;
    throw new HalcyonError("unavailable", "This service is older than this program, and takes no blind keys.");
  }
}

/**
 * Decrypts what the home key opens. Everything that a payment is built from is taken from here or from the chain.
 *
 * @throws HalcyonError `key_forbidden` for a home key of another API key
 */
export function homeContent({ scope, homeKey, keyHash }: Home, plan: BlindPlan): HomeContent {
  const place = { scope, holder: plan.account, version: plan.secret_version };
  const wrap = fromHex(plan.home_wrap);
  try {
    const content = decryptHome(homeKey, keyHash, place, wrap);
    if (content.scope.domainSalt.toLowerCase() === scope.domainSalt.toLowerCase()) return content;
  } catch {
    // Explained below.
  }
  throw new HalcyonError(
    "key_forbidden",
    "This home key does not belong to the API key. Give the two that were created together; if a newer version of " +
      "Halcyon has created them, update this program. Nothing was sent.",
  );
}

/** Decrypts the newest balance. */
export function decryptState(
  { scope }: Home,
  content: HomeContent,
  asset: Address,
  plan: Pick<BlindPlan, "commitment" | "state">,
): AvailableOpening {
  const commitment = hexToCommitment(plan.commitment);
  if (commitment === EMPTY_AVAILABLE || plan.state === null) return EMPTY_AVAILABLE_OPENING;
  const state = fromHex(plan.state);
  try {
    return decryptAvailableState(content.knowledge, { scope, account: content.holder, asset, commitment }, state);
  } catch {
    throw new HalcyonError(
      "sync_required",
      "The available balance can't be decrypted with this home key. If a newer version of Halcyon has written it, update " +
        "this program; otherwise let the account's owner sync it with `halcyon sync`.",
    );
  }
}

/** Returns an asset as the owner's client checked it when it created the key. */
export function homeAsset({ assets }: HomeContent, symbol = "USDG"): HomeAsset {
  const found = assets.find((asset) => asset.symbol === symbol);
  if (found) return found;
  throw new HalcyonError("invalid_request", `This home key knows no asset ${symbol}.`, { param: "asset" });
}

/** MAC of the request as its caller sees it, so that the same key with another payment is refused. */
export function fingerprintOf(
  { scope }: Home,
  { knowledge }: HomeContent,
  id: string,
  input: SendCall & { refundOf?: string | undefined },
): Hex {
  const { to, amount, asset = "USDG", memo = null, binding = null, public: isPublic = false } = input;
  const asked = {
    id,
    to,
    amount,
    asset,
    memo,
    binding,
    public: isPublic,
    refundOf: input.refundOf,
    ...detailsBody(input),
  };
  const key = hkdf(knowledge, "request fingerprint", scope);
  return toHex(hmac(sha256, key, utf8(JSON.stringify(asked))));
}

/** Returns the error for what only a plain key or the wallet does. */
export function notBlind(what: string): HalcyonError {
  return new HalcyonError("key_forbidden", `A blind key does not ${what} yet. Use a plain key or the wallet.`);
}
