import { and, eq, isNull } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { z } from "zod";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { PolicyResource } from "@/lib/agents/agent-resource";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { type OwnersPolicyView, readPolicyOf, toOwnersPolicy } from "@/lib/agents/owners-policy";
import { requireOwner } from "@/lib/agents/require-owner";
import { endLock, lockToBuild } from "@/lib/balances/balance-lock";
import { newestState, syncRequired } from "@/lib/balances/lock";
import { type Asset, assetByAddress, assetBySymbol } from "@/lib/base/assets";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { AssetInput, LockToken, RecipientInput } from "@/lib/base/inputs";
import { scopeOf } from "@/lib/chain/scope-of";
import { planDigest } from "@/lib/ledger/encrypted/home-key";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { findHeld, requireUndecided } from "../approvals/find-held";
import { walletOnly } from "../approvals/wallet-only";
import { requireBlindKey, requireSigned } from "./blind-payment";

/** The body of `POST /v1/transfers/plan`. */
export const PlanInput = z
  .strictObject({
    to: RecipientInput.optional(),
    transaction_id: z
      .string()
      .refine((id): boolean => isId("transaction", id), "transaction_id is the id of a payment awaiting approval.")
      .optional()
      .meta({ description: "In place of `to`: a payment of one of your agents, to approve it." }),
    asset: AssetInput.default("USDG"),
    lock: z.boolean("lock is true or false.").default(false).meta({
      description:
        "`true` when another client has just paid from this balance: after those that wait already, the balance waits some seconds for the payment that you send with the plan's `lock_token`.",
    }),
    lock_token: LockToken.optional().meta({
      description: "The lock of an earlier plan, for a payment that you don't send: it ends.",
    }),
    signature: hexBytes(64).meta({
      description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
    }),
  })
  .refine(({ to, transaction_id }) => (to === undefined) !== (transaction_id === undefined), {
    error: "Name either to or transaction_id.",
    path: ["to"],
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
    lock_token: z.string().optional().meta({ description: "With `lock`: send it with the payment." }),
    held: z
      .object({
        agent: z.string().meta({ description: "The agent that asked." }),
        payer: hexField("Address of the agent that asked, in lower case. State and policy are the agent's."),
        to: z.string().meta({ description: "The recipient, as the agent named it." }),
        asset: z.string().meta({ description: "Symbol of the asset." }),
        ciphertext: hexField("The payment, encrypted by the agent for its owner."),
      })
      .optional()
      .meta({ description: "With `transaction_id`: the payment that awaits approval." }),
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
  lockToken: string | undefined;
  held: { agent: string; payer: Address; to: string; asset: string; ciphertext: Hex } | undefined;
}

/** What a plan is for: the balance that pays, and whom. */
interface Planned {
  payer: ContextAccount;
  asset: Asset;
  recipient: Address;
  held: Plan["held"];
}

/**
 * Returns what a client with a home key builds its next payment from: the newest state of its balance, which only the
 * client decrypts, and the recipient's address. For an approval it is the balance of the agent that asked.
 *
 * @throws ApiError `key_forbidden` for another key; `recipient_not_found`; `sync_required`; for an approval also
 *   `not_agent_owner`, `transaction_not_found`, `transaction_expired`
 */
export async function planPayment(ctx: Context, input: PlanInput): Promise<Plan> {
  const { account, chainId, keyId, blind } = requireBlindKey(ctx);
  const request = { scope: await scopeOf(chainId), path: "/v1/transfers/plan", idempotencyKey: "" };
  const { to, transaction_id: id, asset: symbol, signature } = input;
  requireSigned(blind, { ...request, digest: planDigest(to ?? id ?? "", symbol) }, signature);
  const { payer, asset, recipient, held } = id === undefined ? await ownPayment(ctx, input) : await approval(ctx, id);
  const type = payer.type === "agent" ? payer.type : "personal";
  const availableId = { chainId, account: payer.address, asset: asset.address };
  if (input.lock_token !== undefined) await endLock(db(), availableId, input.lock_token);
  const lockToken = input.lock ? await lockToBuild(availableId) : undefined;
  const read = async () => {
    const [key, newest, policy] = await Promise.all([
      readKey(keyId),
      newestState(db(), availableId),
      readPolicyOf(ctx, payer, type),
    ]);
    if (newest.syncRequired || (newest.state && newest.state.secretVersion !== key.secretVersion)) throw syncRequired();
    return { key, newest, policy };
  };
  const { key, newest, policy } = await read().catch(async (error: unknown) => {
    if (lockToken !== undefined) await endLock(db(), availableId, lockToken);
    throw error;
  });
  return {
    account: account.address,
    ...key,
    recipient,
    commitment: newest.commitment,
    state: newest.state?.encrypted ?? null,
    policy,
    lockToken,
    held,
  };
}

async function ownPayment({ account, chainId }: Context, { to = "", asset }: PlanInput): Promise<Planned> {
  const { address } = await resolveRecipient(chainId, to);
  return { payer: account, asset: assetBySymbol(chainId, asset), recipient: address, held: undefined };
}

async function approval(ctx: Context, id: string): Promise<Planned> {
  requireOwner(ctx);
  const { row, agentHandle } = await findHeld(ctx, id);
  requireUndecided(row, new Date());
  const asset = assetByAddress(ctx.chainId, row.asset);
  // What exceeds the account's own policy needs its wallet.
  if (!asset || row.agentId === ctx.account.id) throw walletOnly();
  const payer = await findOwnAgent(ctx, row.agentId);
  const { to, encrypted: ciphertext, recipientAddress: recipient } = row;
  const held = { agent: `@${agentHandle}`, payer: payer.address, to, asset: asset.symbol, ciphertext };
  return { payer, asset, recipient, held };
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
    ...(plan.lockToken !== undefined && { lock_token: plan.lockToken }),
    ...(plan.held && { held: plan.held }),
  };
}
