import { z } from "zod";
import { AddressInput } from "@/lib/accounts/schema";
import { DECIMALS } from "@/lib/assets";
import { AMOUNT_MEANING, AssetInput, RecipientInput, SecretVersion } from "@/lib/inputs";
import { hexBytes, u64 } from "@/lib/ledger/prepare/document-fields";
import { SEALED_AGENT_WALLET_LENGTH } from "@/lib/ledger/seal/agent-wallet";
import { InvalidAmount, parseAmount } from "@/lib/money";
import { InstantInput } from "@/lib/paging";
import { AgentName, PolicyFieldsInput, patchOf, SpendPolicyInput, SpendPolicyPatch } from "@/lib/policy/schema";

const NAME_AND_POLICY = {
  name: AgentName,
  spend_policy: SpendPolicyInput.optional().meta({
    description: "The agent's first policy. If omitted, the agent can't pay anyone.",
  }),
};

/** The body of `POST /v1/accounts/me/agents`: the service makes the agent's wallet. */
export const CreateAgentInput = z
  .strictObject(NAME_AND_POLICY)
  .meta({ id: "CreateAgent", description: "An agent to create. Halcyon creates its wallet." });
export type CreateAgentInput = z.infer<typeof CreateAgentInput>;

const SignedPolicyFields = z.strictObject(
  {
    ...PolicyFieldsInput.shape,
    wallet_consent: z
      .strictObject(
        {
          signature: hexBytes(65),
          since: z.string("since is the updated_at you signed over.").max(40),
          deadline: u64,
          fields: z.record(z.string(), z.unknown()),
        },
        "Send signature, since and deadline of what the wallet signed.",
      )
      .optional(),
  },
  "Send the policy as one JSON object.",
);

/** A consent is over the fields as they were sent: they are kept beside it as they are, before anything reads them. */
function withFields(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || !("wallet_consent" in sent)) return sent;
  const { wallet_consent, ...fields } = sent;
  if (typeof wallet_consent !== "object" || wallet_consent === null) return sent;
  return { ...fields, wallet_consent: { ...wallet_consent, fields } };
}

/**
 * The body of `PATCH /api/agents/{account_id}/spend-policy`: fields of the policy, and the wallet's consent to a change
 * that loosens it (lib/policy/policy-change.ts).
 */
export const UpdatePolicyInput = z
  .preprocess(withFields, SignedPolicyFields)
  .transform(({ wallet_consent, ...fields }) => ({ patch: patchOf(fields), consent: wallet_consent }));

const REGISTRATION = {
  address: AddressInput,
  wallet: hexBytes(SEALED_AGENT_WALLET_LENGTH),
  deadline: u64,
  owner_signature: hexBytes(65),
  agent_signature: hexBytes(65),
  secret_version: SecretVersion,
};

/**
 * The body of `POST /api/agents`: the owner's client has made the wallet, sealed its key under the agent's secret, and
 * had the ledger's `EnrollAgent` (nonce 0) signed by the owner's wallet or spender and by the agent.
 */
export const RegisterAgentInput = z.strictObject({ ...NAME_AND_POLICY, ...REGISTRATION });
export type RegisterAgentInput = z.infer<typeof RegisterAgentInput>;

const MAX_SIMULATED = 100;
const PAYMENTS_RULE = `Send a list of 1 to ${MAX_SIMULATED} payments.`;

const simulatedPayment = z
  .strictObject(
    {
      to: RecipientInput,
      amount: z.string("An amount is a decimal string.").meta({ description: AMOUNT_MEANING, examples: ["40.00"] }),
      asset: AssetInput.default("USDG"),
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

/** The body of `…/spend-policy/simulate`: fields over the stored policy, and payments one after the other. */
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

/** The code that refuses a field of these bodies: a policy or a name is one thing, what comes along another. */
export function codeOfRefused(param: string): "invalid_policy" | "invalid_request" {
  return NO_POLICY.has(param.split(".")[0] ?? "") ? "invalid_request" : "invalid_policy";
}
