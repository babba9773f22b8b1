import { and, eq, isNull } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { z } from "zod";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { PolicyResource } from "@/lib/agents/agent-resource";
import { type OwnersPolicyView, readPolicyOf, toOwnersPolicy } from "@/lib/agents/owners-policy";
import { newestState, syncRequired } from "@/lib/balances/lock";
import { assetBySymbol } from "@/lib/base/assets";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { AssetInput, RecipientInput } from "@/lib/base/inputs";
import { scopeOf } from "@/lib/chain/scope-of";
import { planDigest } from "@/lib/ledger/encrypted/home-key";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { requireBlindKey, requireSigned } from "./blind-payment";

/** The body of `POST /v1/transfers/plan`. */
export const PlanInput = z
  .strictObject({
    to: RecipientInput,
    asset: AssetInput.default("USDG"),
    signature: hexBytes(64).meta({
      description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
    }),
  })
  .meta({ id: "PlanTransfer", description: "Asks for what a payment with a home key is built from." });
export type PlanInput = z.infer<typeof PlanInput>;

const hexField = (description: string) => z.string().meta({ description });

/** What a client with a home key builds a payment from. It takes from here only what it can check. */
export const PlanResource = z
  .object({
    account: hexField("Address of the payer, in lower case."),
    secret_version: z.number().meta({ description: "Version of the account secret that the key was created with." }),
    home_wrap: hexField("What the home key decrypts."),
    recipient: hexField("Address of the recipient, in lower case."),
    commitment: hexField("Commitment to the newest available balance."),
    state: z.string().nullable().meta({ description: "That balance, encrypted; null if it was always empty." }),
    policy: PolicyResource.nullable().meta({
      description: "The policy under which it pays, with `ledger`; null for an account whose keys have no limits.",
    }),
  })
  .meta({ id: "TransferPlan", description: "What a payment with a home key is built from." });

interface Plan {
  account: Address;
  secretVersion: number;
  homeWrap: Hex;
  recipient: Address;
  commitment: Hex;
  state: Hex | null;
  policy: OwnersPolicyView | null;
}

/**
 * Returns what a client with a home key builds its next payment from: the newest state of its balance, which only the
 * client decrypts, and the recipient's address.
 *
 * @throws ApiError `key_forbidden` for another key; `recipient_not_found`; `sync_required`
 */
export async function planPayment(ctx: Context, { to, asset: symbol, signature }: PlanInput): Promise<Plan> {
  const { account, chainId, keyId, blind } = requireBlindKey(ctx);
  const request = { scope: await scopeOf(chainId), path: "/v1/transfers/plan", idempotencyKey: "" };
  requireSigned(blind, { ...request, digest: planDigest(to, symbol) }, signature);
  const asset = assetBySymbol(chainId, symbol);
  const type = account.type === "agent" ? account.type : "personal";
  const [key, recipient, newest, policy] = await Promise.all([
    readKey(keyId),
    resolveRecipient(chainId, to),
    newestState(db(), { chainId, account: account.address, asset: asset.address }),
    readPolicyOf(ctx, account, type),
  ]);
  if (newest.syncRequired || (newest.state && newest.state.secretVersion !== key.secretVersion)) throw syncRequired();
  return {
    account: account.address,
    ...key,
    recipient: recipient.address,
    commitment: newest.word,
    state: newest.state?.encrypted ?? null,
    policy,
  };
}

async function readKey(keyId: string): Promise<{ secretVersion: number; homeWrap: Hex }> {
  const [row] = await db()
    .select({ secretVersion: apiKeys.secretVersion, homeWrap: apiKeys.homeWrap })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)));
  if (!row) throw new ApiError("unauthorized", "This API key has been revoked.");
  const { secretVersion, homeWrap } = row;
  if (homeWrap) return { secretVersion, homeWrap };
  throw new ApiError("key_forbidden", "This account requires client-signed payments: its wallet pays, and no key.");
}

/** Serializes a plan. */
export function toPlanResource(plan: Plan): z.infer<typeof PlanResource> {
  return {
    account: plan.account,
    secret_version: plan.secretVersion,
    home_wrap: plan.homeWrap,
    recipient: plan.recipient,
    commitment: plan.commitment,
    state: plan.state,
    policy: plan.policy && toOwnersPolicy(plan.policy),
  };
}
