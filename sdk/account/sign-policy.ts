import type { Address } from "viem";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { planSetPolicy } from "@/lib/ledger/authority/plan-set-policy";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { newPolicySalt } from "@/lib/ledger/policy/policy-salts";
import { keySigner, type Signer } from "@/lib/ledger/prepare/key-signer";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { documentOfPolicy, hasOpenRecipients } from "@/lib/policy/policy-document";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { HalcyonError } from "../api/errors";
import type { SignedPolicy } from "../api/resources/agents";
import type { Context } from "../context/context";
import { poll } from "../context/operation";
import { showsSoon, stillOpen } from "../context/relay-or-send";
import { signDraft } from "../context/sign-draft";
import type { Party } from "./party";
import { resolveAddress } from "./resolve-address";
import { policyAssets } from "./session-policy";

/** The input for signing a policy. */
export interface PolicyToSign {
  policy: SpendPolicy;
  paused: boolean;
  /** The addresses of its recipients, if the recipients have not changed since the policy was last signed. */
  resolved?: Address[] | undefined;
  /** The previous policy version, if the service has a pending version that the chain does not show yet. */
  over?: string | number | undefined;
  /** False when an account removes its own policy. */
  limited?: boolean;
  /** Whether the wallet must sign: for a change that loosens a policy, and for the account's own policy. */
  byWallet: boolean;
}

/**
 * Resolves the recipients of a policy to their current addresses.
 *
 * @throws HalcyonError `recipient_not_found` with every handle that no account has: the policy would let nothing be
 * paid to it
 */
async function resolvedRecipients(context: Context, { allowedRecipients }: SpendPolicy): Promise<Address[]> {
  const unknown: string[] = [];
  const addresses = await Promise.all(
    allowedRecipients.map(async (entry): Promise<Address[]> => {
      if (entry.startsWith("0x")) return [lowerCase(entry as Address)];
      try {
        return [lowerCase(await resolveAddress(context, entry))];
      } catch (error) {
        const code = error instanceof HalcyonError ? error.code : undefined;
        if (code !== "recipient_not_found" && code !== "not_found") throw error;
        unknown.push(entry);
        return [];
      }
    }),
  );
  if (unknown.length > 0) throw unknownRecipients(allowedRecipients.filter((entry) => unknown.includes(entry)));
  return [...new Set(addresses.flat())].sort();
}

function unknownRecipients(handles: string[]): HalcyonError {
  const [whom, them] = handles.length === 1 ? ["the handle", "it"] : ["the handles", "them"];
  const message = `No account has ${whom} ${handles.join(", ")}. Correct ${them} in the policy's recipients, or leave ${them} out.`;
  return new HalcyonError("recipient_not_found", message, { param: "allowed_recipients" });
}

/** The account a policy is signed for, and the version it follows. */
interface Place {
  holder: Address;
  /** The previous policy version. */
  over: bigint;
  sign: Signer;
}

async function sign(context: Context, to: PolicyToSign, { holder, over, sign }: Place): Promise<SignedPolicy> {
  const { policy, paused, limited = true } = to;
  const [scope, chain, assets] = await Promise.all([context.scope(), context.chain(), policyAssets(context)]);
  const anyone = hasOpenRecipients(policy);
  const resolved = anyone ? [] : (to.resolved ?? (await resolvedRecipients(context, policy)));
  const salt = newPolicySalt();
  const ref = { scope, holder: lowerCase(holder), version: over + 1n };
  const document = documentOfPolicy(policy, paused, ref, assets);
  const { draft } = planSetPolicy(salt, document, anyone ? "anyone" : resolved, await chain.deadline(), limited);
  return { document: await signDraft<"set_policy">(scope, draft, sign), salt: toHex(salt), resolved };
}

/**
 * Signs a policy over the newest version. For agents of an unguarded owner, the payment key signs changes that
 * don't loosen the policy. The wallet signs all others.
 */
export async function signPolicy(context: Context, { address }: Pick<Party, "address">, policy: PolicyToSign) {
  const [chain, { paymentKey }] = await Promise.all([context.chain(), context.vault()]);
  const [party, deadline] = await Promise.all([chain.party(address), chain.deadline()]);
  const byKey = !policy.byWallet && maySign({ struct: "SetPolicy" }, party, paymentKey.address, deadline);
  const { policyVersion } = party.record;
  const under = BigInt(policy.over ?? 0);
  return sign(context, policy, {
    holder: address,
    over: under > policyVersion ? under : policyVersion,
    sign: byKey ? keySigner(paymentKey.privateKey) : context.signer(),
  });
}

/**
 * Signs the first policy of an agent that is not on the ledger yet: over version 0, and by the wallet if its owner is
 * guarded.
 */
export async function signFirstPolicy(context: Context, agent: Address, policy: SpendPolicy): Promise<SignedPolicy> {
  const [chain, { paymentKey }] = await Promise.all([context.chain(), context.vault()]);
  const { guarded } = await chain.account(context.wallet.address);
  const byWallet = { policy, paused: false, byWallet: guarded };
  const signer = guarded ? context.signer() : keySigner(paymentKey.privateKey);
  return sign(context, byWallet, { holder: agent, over: 0n, sign: signer });
}

/**
 * Hands a signed policy to the service. What became of it, the ledger says.
 *
 * @returns the service's response; null if that is a refusal and the ledger has the policy all the same
 */
export async function handOver<T>(context: Context, signed: SignedPolicy, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const [chain, { account, document_hash, deadline }] = [await context.chain(), signed.document];
    const isThere = async () =>
      (await chain.policyOf(account).catch(() => null))?.documentHash.toLowerCase() === document_hash;
    if (await showsSoon(context, isThere)) return null;
    throw stillOpen(error, "The policy", deadline);
  }
}

/** Waits until the ledger has a policy, according to the client's own RPC. */
export async function policySettled(context: Context, { document }: SignedPolicy): Promise<void> {
  const chain = await context.chain();
  await poll(context, "The policy", async () => {
    const now = await chain.policyOf(document.account);
    if (now.documentHash.toLowerCase() === document.document_hash) return true;
    if (now.policyVersion <= BigInt(document.policy_version)) return undefined;
    throw new HalcyonError(
      "available_balance_changed",
      "Another client has set this policy in the meantime. Look at it, and set it again.",
    );
  });
}
