import { z } from "zod";
import { addressText, commitment, hexBytes, u64 } from "../prepare/document-fields";
import { anySignature } from "../prepare/signature-fields";
import { MAX_AGENTS_AT_ONCE, NO_END } from "./authority-limits";

/** The most assets in one policy document (`policy-document.ts` writes their number in one byte). */
const MAX_ASSETS = 255;

/** Addresses are in lower case; integers and times (Unix seconds) are decimal strings. */
const signed = { deadline: u64, signature: anySignature };
/** Fields of documents that use up the account's nonce. */
const overNonce = { account: addressText, nonce: u64, ...signed };

const end = u64.refine((value) => BigInt(value) <= NO_END, "must be below 2^40");

const ascending = (values: readonly string[]) =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? "") < value);

const setPaymentKey = z.strictObject({
  kind: z.literal("set_payment_key"),
  payment_key: addressText,
  payment_key_until: u64,
  ...overNonce,
});

const setGuarded = z.strictObject({ kind: z.literal("set_guarded"), guarded: z.boolean(), ...overNonce });

/**
 * `old_available` is the commitment on chain. If the available balance has changed since, the ledger refuses to abandon
 * it.
 */
const abandon = z.strictObject({
  kind: z.literal("abandon"),
  asset: addressText,
  old_available: commitment,
  ...overNonce,
});

/** `policy_version` is the version before the call. All assets of the policy document are named, in its order. */
export const SetPolicyDocument = z
  .strictObject({
    kind: z.literal("set_policy").meta({ description: "The kind of document." }),
    account: addressText.meta({ description: "Address of the agent, in lower case." }),
    limited: z.boolean().meta({ description: "Whether a policy limits the account. Always true for an agent." }),
    recipients_root: hexBytes(32).meta({ description: "Root of the tree of recipients that the policy allows." }),
    document_hash: hexBytes(32).meta({ description: "Hash of the whole policy, with its salt." }),
    assets: z
      .array(addressText)
      .max(MAX_ASSETS)
      .meta({ description: "Addresses of the contracts of the policy's assets, in order." }),
    commitments: z.array(commitment).max(MAX_ASSETS).meta({ description: "Commitments to the limits, one per asset." }),
    policy_version: u64.meta({ description: "Version of the policy that this one replaces, as a decimal string." }),
    deadline: signed.deadline.meta({
      description: "Unix time in seconds after which the ledger refuses the document, as a decimal string.",
    }),
    signature: signed.signature.meta({
      description: "EIP-712 signature: 65 bytes of a key, or what a contract wallet takes (ERC-1271).",
    }),
  })
  .refine(({ assets, commitments }) => assets.length === commitments.length, {
    path: ["commitments"],
    error: "must be one per asset",
  })
  .refine(({ assets }) => ascending(assets), { path: ["assets"], error: "must stand in order, each once" })
  .meta({ id: "SetPolicyDocument", description: "The ledger's `SetPolicy`, signed." });

/** `policy_versions` are the agents' versions before the call. A signer of zero ends the agent. */
const setAgentSigner = z
  .strictObject({
    kind: z.literal("set_agent_signer"),
    owner: addressText,
    agents: z.array(addressText).min(1).max(MAX_AGENTS_AT_ONCE),
    signers: z.array(addressText).max(MAX_AGENTS_AT_ONCE),
    policy_versions: z.array(u64).max(MAX_AGENTS_AT_ONCE),
    until: end,
    ...signed,
  })
  .refine(({ agents, signers }) => agents.length === signers.length, {
    path: ["signers"],
    error: "must be one per agent",
  })
  .refine(({ agents, policy_versions }) => agents.length === policy_versions.length, {
    path: ["policy_versions"],
    error: "must be one per agent",
  })
  .refine(({ agents }) => ascending(agents), { path: ["agents"], error: "must stand in order, each once" });

/**
 * A document that a wallet has signed (or a payment key, where the ledger allows it). Anyone may send it. It
 * needs no proof.
 */
export const AuthorityDocumentSchema = z.discriminatedUnion("kind", [
  setPaymentKey,
  setGuarded,
  abandon,
  SetPolicyDocument,
  setAgentSigner,
]);

export type AuthorityDocument = z.infer<typeof AuthorityDocumentSchema>;
export type AuthorityKind = AuthorityDocument["kind"];

/** A document of one kind. */
export type AuthorityDocumentOf<K extends AuthorityKind> = Extract<AuthorityDocument, { kind: K }>;
/** A document before it is signed. */
export type AuthorityDraft<K extends AuthorityKind = AuthorityKind> = {
  [Each in K]: Omit<AuthorityDocumentOf<Each>, "signature">;
}[K];
