import { z } from "zod";
import { POLICY_ASSETS } from "@/lib/policy/amount-limits";
import { LIMITS_MEANING, meaningOf, RECIPIENT_LIMIT_MEANING } from "@/lib/policy/resource";
import type { Kind } from "@/lib/policy/rule";
import { type AnyRule, RULES, SERVICE } from "@/lib/policy/rules";
import { MAX_RECIPIENTS } from "@/lib/policy/rules/allowed-recipients";
import { MAX_RECIPIENT_LIMITS } from "@/lib/policy/rules/recipient-limits";
import { applyPatch, DENY_ALL, type SpendPolicy, type SpendPolicyResource } from "@/lib/policy/spend-policy";

const usdg = z.number().min(0).max(1_000_000_000);

/** How requests write each kind of rule, for the OpenAPI document. {@link AnyRule.read} is what decides. */
const SHAPES: Record<Kind, z.ZodType> = {
  money: usdg,
  "optional money": usdg.nullable(),
  count: z.int().min(0).max(1_000_000).nullable(),
  recipients: z.array(z.string()).max(MAX_RECIPIENTS),
  assets: z.array(z.enum(POLICY_ASSETS)).max(100),
  hours: z.string(),
  zone: z.string(),
  "asset limits": z.strictObject({
    ETH: z
      .strictObject({
        daily: z.string().meta(LIMITS_MEANING.daily),
        per_transaction: z.string().meta(LIMITS_MEANING.per_transaction),
        hitl_threshold: z.string().meta(LIMITS_MEANING.hitl_threshold),
      })
      .optional()
      .meta(LIMITS_MEANING.ETH),
  }),
  "recipient limits": z
    .array(
      z.strictObject({
        recipient: z.string().meta(RECIPIENT_LIMIT_MEANING.recipient),
        per_transaction_limit_usdg: usdg.nullable().optional().meta(RECIPIENT_LIMIT_MEANING.per_transaction_limit_usdg),
        monthly_limit_usdg: usdg.nullable().optional().meta(RECIPIENT_LIMIT_MEANING.monthly_limit_usdg),
      }),
    )
    .max(MAX_RECIPIENT_LIMITS),
  switch: z.boolean(),
};

const UNKNOWN = "This field is not known here. Remove it.";

/** Returns the schema of a rule's field, which reads it as the rule itself does. */
function inputOf({ field, read }: AnyRule) {
  const shape = SHAPES[SERVICE[field].kind];
  const { $schema: _, ...wire } = z.toJSONSchema(shape, { io: "input" });
  return z
    .unknown()
    .transform((input, context) => {
      let isRefused = false;
      const refuse = (message: string, ...path: PropertyKey[]) => {
        isRefused = true;
        context.addIssue({ code: "custom", message, path, input });
        return undefined;
      };
      const value = read(input, refuse);
      // Reading ignores unknown fields. Here they are refused.
      for (const issue of isRefused ? [] : (shape.safeParse(input).error?.issues ?? [])) {
        if (issue.code === "unrecognized_keys") for (const key of issue.keys) refuse(UNKNOWN, ...issue.path, key);
      }
      return isRefused ? z.NEVER : value;
    })
    .optional()
    .meta({ ...meaningOf(field), wire: { ...wire, ...meaningOf(field) } });
}

/** The fields of a policy in the API, each optional. */
export const PolicyFieldsInput = z.strictObject(
  Object.fromEntries(RULES.map((rule) => [rule.field, inputOf(rule)])) as unknown as {
    [R in AnyRule as R["field"]]: z.ZodOptional<z.ZodType<R["unset"], SpendPolicyResource[R["field"]]>>;
  },
  "Send the policy as one JSON object.",
);

/** Returns the given fields under their names in {@link SpendPolicy}. */
export function patchOf(fields: z.output<typeof PolicyFieldsInput>): Partial<SpendPolicy> {
  const given = RULES.filter(({ field }) => fields[field] !== undefined);
  return Object.fromEntries(given.map(({ name, field }) => [name, fields[field]]));
}

/**
 * The body of `PATCH /v1/agents/{account_id}/spend-policy`: any fields of a policy, parsed into the exact values of a
 * {@link SpendPolicy}. `limits` replaces the whole object. Pass the result to `applyPatch`.
 */
export const SpendPolicyPatch = PolicyFieldsInput.transform(patchOf).meta({
  id: "SpendPolicyFields",
  description: "Fields of a spend policy. In a change, omitted fields keep their value; in a new policy, they deny.",
});

/** `spend_policy` of a registration: like the patch, but fields left out deny. */
export const SpendPolicyInput = SpendPolicyPatch.transform((patch) => applyPatch(DENY_ALL, patch));

const NAME_RULE =
  "Name the agent with 1 to 32 of the lower-case letters a-z, digits, - and _, without its owner's handle.";

/** `name` of an agent: the part of its handle after the slash. */
export const AgentName = z
  .string(NAME_RULE)
  .regex(/^[a-z0-9_-]{1,32}$/, NAME_RULE)
  .meta({
    description: "The part of the agent's handle after the slash: 1 to 32 lower-case letters, digits, `-` and `_`.",
    examples: ["procurement"],
  });
