import { z } from "zod";
import { AddressInput } from "@/lib/accounts/schema";
import { AMOUNT_MEANING, AssetInput, RecipientInput, SecretVersion } from "@/lib/base/inputs";
import { DECIMALS, InvalidAmount, parseAmount } from "@/lib/base/money";
import { InstantInput, optionalPageQuery } from "@/lib/base/paging";
import { SetPolicyDocument } from "@/lib/ledger/authority/authority-documents";
import { authorityInput } from "@/lib/ledger/authority/authority-input";
import { MAX_AGENTS_AT_ONCE } from "@/lib/ledger/authority/authority-limits";
import { ENCRYPTED_AGENT_WALLET_LENGTH } from "@/lib/ledger/encrypted/agent-wallet";
import { POLICY_SALT_LENGTH } from "@/lib/ledger/policy/policy-salts";
import { addressText, hexBytes, u64 } from "@/lib/ledger/prepare/document-fields";
import { KEY_SIGNATURE_LENGTH } from "@/lib/ledger/prepare/signature";
import { anySignature } from "@/lib/ledger/prepare/signature-fields";
import { AgentName, PolicyFieldsInput, patchOf, SpendPolicyInput, SpendPolicyPatch } from "@/lib/policy/schema";

/** What the owner says of a new agent. */
const NewAgent = z.object({
  name: AgentName,
  spend_policy: SpendPolicyInput.optional().meta({
    description: "The agent's first policy. If omitted, the agent can't pay anyone.",
  }),
});
/** Without a policy, everything is denied. */
export type NewAgent = z.infer<typeof NewAgent>;

/** The body of `POST /api/agents/{account_id}/refunds`. */
export const SetRefundsInput = z.strictObject({
  refunds: z.enum(["available", "owner"], "refunds is available or owner."),
});

/** The query of the lists of agents. */
export const ListAgentsQuery = z.strictObject(optionalPageQuery("account"));

/** What a body may cost that can contain a signed policy. */
export const SIGNED_BODY = { kib: 256, values: 5_000 } as const;

/** The most addresses that a policy's recipients can resolve to: one each. */
const MAX_RESOLVED = 1_000;

/**
 * A policy as the owner's client signed it: the ledger's `SetPolicy`, the salt that hides its content, and the
 * addresses that the recipients resolve to (none with a wildcard).
 */
const SignedPolicyInput = z
  .strictObject({
    document: SetPolicyDocument,
    salt: hexBytes(POLICY_SALT_LENGTH).meta({
      description: "The salt that hides the policy from readers of the chain.",
    }),
    resolved: z
      .array(addressText)
      .max(MAX_RESOLVED)
      .transform((addresses) => [...new Set(addresses)].sort())
      .meta({ description: "The addresses that the recipients stand for; empty if anyone may be paid." }),
  })
  .meta({ id: "SignedPolicy", description: "A policy that your wallet has signed. The SDK creates it." });
export type SignedPolicy = z.infer<typeof SignedPolicyInput>;

const OPTIONALLY_SIGNED = SignedPolicyInput.optional();

/**
 * The body of `PATCH /v1/agents/{account_id}/spend-policy` and of `PATCH /api/limits`: the changed fields, signed if the
 * owner's client did.
 */
export const UpdatePolicyInput = z
  .strictObject(
    {
      ...PolicyFieldsInput.shape,
      signed: OPTIONALLY_SIGNED.meta({
        description:
          "The whole changed policy, signed on your device. If omitted, the API key signs it. A session must send it.",
      }),
    },
    "Send the policy as one JSON object.",
  )
  .transform(({ signed, ...fields }) => ({ patch: patchOf(fields), signed }))
  .meta({
    id: "ChangeSpendPolicy",
    description: "Fields of a spend policy to change. Omitted fields keep their value.",
  });

/** The query of `/v1/agents/{account_id}/spend-policy`. */
export const PolicyQuery = z.strictObject({
  include: z.enum(["ledger"], "include is ledger.").optional().meta({
    description: "`ledger` adds what the ledger has of the policy, over which the next one is signed.",
  }),
});

/** The body of `DELETE /api/limits`. */
export const SignedInput = z.strictObject({ signed: SignedPolicyInput });

/** The body of `POST /v1/agents/{account_id}/pause`. Of a session, without a signature, only the service pauses. */
export const PauseInput = z
  .strictObject({
    signed: OPTIONALLY_SIGNED.meta({
      description:
        "The paused policy, signed on your device. If omitted, the API key signs it; without a key, only the service enforces the pause.",
    }),
  })
  .prefault({})
  .meta({ id: "PauseAgent", description: "You can omit the body." });

/** The body of `POST /v1/agents/{account_id}/resume`. */
export const ResumeInput = z
  .strictObject({
    signed: OPTIONALLY_SIGNED.meta({
      description:
        "The resumed policy, signed by your wallet. If omitted, the API key signs it. A session must send it.",
    }),
  })
  .prefault({})
  .meta({ id: "ResumeAgent", description: "You can omit the body: the API key then signs." });

const Registration = z
  .strictObject({
    address: AddressInput.meta({ description: "Address of the agent's wallet." }),
    wallet: hexBytes(ENCRYPTED_AGENT_WALLET_LENGTH).meta({
      description: "The wallet's private key, encrypted under the agent's secret.",
    }),
    deadline: u64.meta({
      description: "Unix time in seconds after which the ledger refuses the agent, as a decimal string.",
    }),
    owner_signature: anySignature.meta({
      description: "The ledger's `EnrollAgent` (nonce 0), signed by your wallet or payment key.",
    }),
    agent_signature: hexBytes(KEY_SIGNATURE_LENGTH).meta({
      description: "The ledger's `EnrollAgent` (nonce 0), signed by the agent's wallet.",
    }),
    secret_version: SecretVersion.meta({
      description: "Version of the account secret from which the agent's secret is derived.",
    }),
  })
  .meta({ id: "AgentRegistration", description: "An agent whose wallet was created on your device." });
export type AgentRegistration = z.infer<typeof Registration>;

/**
 * The body of `POST /v1/accounts/me/agents`. With `registration`, the owner's client has created the wallet and
 * encrypted its key under the agent's secret; without it, the service does so with the API key.
 */
export const CreateAgentInput = z
  .strictObject({
    ...NewAgent.shape,
    registration: Registration.optional().meta({
      description:
        "The agent's wallet, created on your device. If omitted, the API key creates it. A session must send it.",
    }),
    signed: OPTIONALLY_SIGNED.meta({
      description: "With `registration`, the agent's first policy, signed over version 0.",
    }),
  })
  .refine(({ registration, signed }) => registration === undefined || signed !== undefined, {
    path: ["signed"],
    message: "Sign the first policy of an agent whose wallet you created.",
  })
  .refine(({ registration, signed }) => registration !== undefined || signed === undefined, {
    path: ["registration"],
    message: "Send the agent's wallet with its signed policy.",
  })
  .meta({ id: "CreateAgent", description: "An agent to create. Halcyon creates its wallet, unless you send it." });
export type CreateAgentInput = z.infer<typeof CreateAgentInput>;

/** The body of `POST /api/account-secret/signers`: `SetAgentSigner`, and the encrypted keys of the new signers. */
export const AgentSignersInput = z.strictObject({
  secret_version: SecretVersion,
  document: authorityInput("set_agent_signer"),
  wallets: z
    .array(z.strictObject({ agent: addressText, wallet: hexBytes(ENCRYPTED_AGENT_WALLET_LENGTH) }))
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

const NO_POLICY = new Set(["payments", "registration", "signed"]);

/**
 * Returns the error code for a refused field of these bodies: `invalid_policy` for policies and names,
 * `invalid_request` for everything else.
 */
export function codeOfRefused(param: string): "invalid_policy" | "invalid_request" {
  return NO_POLICY.has(param.split(".")[0] ?? "") ? "invalid_request" : "invalid_policy";
}
