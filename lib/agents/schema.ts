import { z } from "zod";
import { AddressInput } from "@/lib/accounts/schema";
import { AMOUNT_MEANING, AssetInput, RecipientInput, SecretVersion } from "@/lib/base/inputs";
import { DECIMALS, InvalidAmount, parseAmount } from "@/lib/base/money";
import { InstantInput, optionalPageQuery } from "@/lib/base/paging";
import { authorityInput } from "@/lib/ledger/authority/authority-input";
import { MAX_AGENTS_AT_ONCE } from "@/lib/ledger/authority/authority-limits";
import { POLICY_SALT_LENGTH } from "@/lib/ledger/policy/policy-salts";
import { addressText, hexBytes, u64 } from "@/lib/ledger/prepare/document-fields";
import { KEY_SIGNATURE_LENGTH } from "@/lib/ledger/prepare/signature";
import { anySignature } from "@/lib/ledger/prepare/signature-fields";
import { SEALED_AGENT_WALLET_LENGTH } from "@/lib/ledger/seal/agent-wallet";
import { AgentName, PolicyFieldsInput, patchOf, SpendPolicyInput, SpendPolicyPatch } from "@/lib/policy/schema";

const NAME_AND_POLICY = {
  name: AgentName,
  spend_policy: SpendPolicyInput.optional().meta({
    description: "The agent's first policy. If omitted, the agent can't pay anyone.",
  }),
};

/** The body of `POST /api/agents/{account_id}/refunds`. */
export const SetRefundsInput = z.strictObject({
  refunds: z.enum(["available", "owner"], "refunds is available or owner."),
});

/** The query of the lists of agents. */
export const ListAgentsQuery = z.strictObject(optionalPageQuery("account"));

/** The body of `POST /v1/accounts/me/agents`. The service creates the agent's wallet. */
export const CreateAgentInput = z
  .strictObject(NAME_AND_POLICY)
  .meta({ id: "CreateAgent", description: "An agent to create. Halcyon creates its wallet." });
export type CreateAgentInput = z.infer<typeof CreateAgentInput>;

/** The most addresses that a policy's recipients can resolve to: one each. */
const MAX_RESOLVED = 1_000;

/**
 * A policy as the owner's client signed it: the ledger's `SetPolicy`, the salt that hides its content, and the
 * addresses that the recipients resolve to (none with a wildcard).
 */
export const SignedPolicyInput = z.strictObject({
  document: authorityInput("set_policy"),
  salt: hexBytes(POLICY_SALT_LENGTH),
  resolved: z
    .array(addressText)
    .max(MAX_RESOLVED)
    .transform((addresses) => [...new Set(addresses)].sort()),
});
export type SignedPolicy = z.infer<typeof SignedPolicyInput>;

/** The body of `PATCH /api/agents/{account_id}/spend-policy` and of `PATCH /api/limits`: the changed fields, signed. */
export const UpdatePolicyInput = z
  .strictObject(
    { ...PolicyFieldsInput.shape, signed: SignedPolicyInput.optional() },
    "Send the policy as one JSON object.",
  )
  .transform(({ signed, ...fields }) => ({ patch: patchOf(fields), signed }));

/** The body of `POST /api/agents/{account_id}/resume` and of `DELETE /api/limits`. */
export const SignedInput = z.strictObject({ signed: SignedPolicyInput });

/** The body of `POST /api/agents/{account_id}/pause`. Without a signature, only the service enforces the pause. */
export const PauseInput = z.strictObject({ signed: SignedPolicyInput.optional() }).default({});

const REGISTRATION = {
  address: AddressInput,
  wallet: hexBytes(SEALED_AGENT_WALLET_LENGTH),
  deadline: u64,
  owner_signature: anySignature,
  agent_signature: hexBytes(KEY_SIGNATURE_LENGTH),
  secret_version: SecretVersion,
  signed: SignedPolicyInput,
};

/**
 * The body of `POST /api/agents`. The owner's client has created the wallet and encrypted its key under the agent's
 * secret. The ledger's `EnrollAgent` (nonce 0) is signed by the agent and by the owner's wallet or payment key,
 * and the first `SetPolicy` (version 0) by the owner.
 */
export const RegisterAgentInput = z.strictObject({ ...NAME_AND_POLICY, ...REGISTRATION });
export type RegisterAgentInput = z.infer<typeof RegisterAgentInput>;

/** The body of `POST /api/account-secret/signers`: `SetAgentSigner`, and the encrypted keys of the new signers. */
export const AgentSignersInput = z.strictObject({
  secret_version: SecretVersion,
  document: authorityInput("set_agent_signer"),
  wallets: z
    .array(z.strictObject({ agent: addressText, wallet: hexBytes(SEALED_AGENT_WALLET_LENGTH) }))
    .max(MAX_AGENTS_AT_ONCE, `Send up to ${MAX_AGENTS_AT_ONCE} at a time.`),
});
export type AgentSignersInput = z.infer<typeof AgentSignersInput>;

/** The body of `POST /api/agents/{account_id}/end`. */
export const EndAgentInput = authorityInput("set_agent_signer");

/** The body of `POST /api/guard`. */
export const SetGuardedInput = authorityInput("set_guarded");

const MAX_SIMULATED = 100;
const PAYMENTS_RULE = `Send a list of 1 to ${MAX_SIMULATED} payments.`;

const simulatedPayment = z
  .strictObject(
    {
      to: RecipientInput,
      amount: z.string("An amount is a decimal string.").meta({ description: AMOUNT_MEANING, examples: ["40.00"] }),
      asset: AssetInput.default("USDG"),
      exact: z.boolean("exact is true or false.").optional().meta({
        description:
          "`true`: to a seller over HTTP 402 that takes public payments only. The policy then also needs `public_payments`.",
      }),
      at: InstantInput.optional().meta({
        description: "When the payment would take place. If omitted, now. ISO 8601 with a time zone.",
      }),
    },
    "Send each payment as an object.",
  )
  .transform(({ amount, ...payment }, context) => {
    try {
      return { ...payment, amount: parseAmount(amount, DECIMALS[payment.asset]) };
    } catch (error) {
      if (!(error instanceof InvalidAmount)) throw error;
      context.addIssue({ code: "custom", path: ["amount"], message: error.message, input: undefined });
      return z.NEVER;
    }
  });

/**
 * The body of `…/spend-policy/simulate`: changes to the stored policy, and payments to evaluate one after the other.
 */
export const SimulateInput = z
  .strictObject({
    spend_policy: SpendPolicyPatch.optional().meta({
      description: "Fields to change in the stored policy for this simulation.",
    }),
    payments: z
      .array(simulatedPayment, PAYMENTS_RULE)
      .min(1, PAYMENTS_RULE)
      .max(MAX_SIMULATED, PAYMENTS_RULE)
      .meta({ description: "1 to 100 payments, evaluated one after the other." }),
  })
  .meta({ id: "SimulatePolicy", description: "Payments to evaluate, and changes to the stored policy to try." });
/** Amounts in units of their asset. */
export type SimulateInput = z.infer<typeof SimulateInput>;

const NO_POLICY = new Set(["payments", ...Object.keys(REGISTRATION)]);

/**
 * Returns the error code for a refused field of these bodies: `invalid_policy` for policies and names,
 * `invalid_request` for everything else.
 */
export function codeOfRefused(param: string): "invalid_policy" | "invalid_request" {
  return NO_POLICY.has(param.split(".")[0] ?? "") ? "invalid_request" : "invalid_policy";
}
