import { limitsFor } from "@/lib/policy/limits-for";
import { recipientLimitInWords } from "@/lib/policy/number-words";
import {
  isLooserBound,
  optionalUsdgNumber,
  readList,
  readObject,
  readOptionalUsdg,
  readRecipient,
  within,
} from "@/lib/policy/read-limit";
import type { RecipientLimit, Refuse, RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

/** How many recipients can have limits of their own. */
export const MAX_RECIPIENT_LIMITS = 100;

const LIMIT_RULE = "Send per_transaction_limit_usdg or monthly_limit_usdg.";
const FIELDS = ["recipient", "per_transaction_limit_usdg", "monthly_limit_usdg"] as const;

function readLimit(value: unknown, refuse: Refuse): RecipientLimit | undefined {
  const limit = readObject(value, FIELDS, refuse);
  if (!limit) return undefined;
  const recipient = readRecipient(limit.recipient, within(refuse, "recipient"));
  const bound = (name: "per_transaction_limit_usdg" | "monthly_limit_usdg") =>
    readOptionalUsdg(limit[name] ?? null, within(refuse, name));
  const bounds = { perTransaction: bound("per_transaction_limit_usdg"), monthly: bound("monthly_limit_usdg") };
  if (bounds.perTransaction === null && bounds.monthly === null) refuse(LIMIT_RULE);
  // A part that was refused is undefined, and nothing of it is used.
  return { recipient, ...bounds } as RecipientLimit;
}

const BOUNDS = ["perTransaction", "monthly"] as const satisfies (keyof RecipientLimit)[];

/** Limits in USDG on what single recipients get. Every entry that matches a recipient applies. */
export const recipientLimits: RuleDeclaration<"recipientLimits", "recipient_limits", "recipient limits"> = {
  name: "recipientLimits",
  field: "recipient_limits",
  unset: [],
  read: (value, refuse) => {
    const limits = readList(value, MAX_RECIPIENT_LIMITS, "limits", refuse, readLimit);
    const isTwice = limits && new Set(limits.map(({ recipient }) => recipient)).size < limits.length;
    return isTwice ? refuse("Name each recipient once.") : limits;
  },
  encode: (policy, { further }) => {
    further.recipientLimits = [...policy.recipientLimits].sort((a, b) => (a.recipient < b.recipient ? -1 : 1));
  },
  // Each limit must still exist for the same entry, equal or tighter.
  loosens: (before, after) =>
    before.recipientLimits.some((old) => {
      const now = after.recipientLimits.find(({ recipient }) => recipient === old.recipient);
      return BOUNDS.some((bound) => isLooserBound(old[bound], now?.[bound] ?? null));
    }),
  isCounted: (policy) => policy.recipientLimits.some(({ monthly }) => monthly !== null),
};

const bounds = (name: (typeof BOUNDS)[number], ...of: Parameters<typeof limitsFor>) =>
  limitsFor(...of).flatMap((limit) => limit[name] ?? []);

export const recipientLimitsService = {
  kind: "recipient limits",
  write: (policy) =>
    policy.recipientLimits.map(({ recipient, perTransaction, monthly }) => ({
      recipient,
      per_transaction_limit_usdg: optionalUsdgNumber(perTransaction),
      monthly_limit_usdg: optionalUsdgNumber(monthly),
    })),
  decode: ({ further }) => further.recipientLimits,
  commitment: "document",
  blind: "plain",
  checks: {
    recipient_transaction_limit: {
      stage: "period",
      applies: (policy, { asset, recipient }) =>
        asset === "USDG" && bounds("perTransaction", policy, recipient).length > 0,
      passes: (policy, { recipient, amount }) =>
        bounds("perTransaction", policy, recipient).every((bound) => amount <= bound),
    },
    recipient_monthly_limit: {
      stage: "period",
      counts: "paidRecipientThisMonth",
      applies: (policy, { asset, recipient }) => asset === "USDG" && bounds("monthly", policy, recipient).length > 0,
      passes: (policy, { recipient, amount }, paid) =>
        bounds("monthly", policy, recipient).every((bound) => paid + amount <= bound),
    },
  },
} satisfies RuleService<"recipient limits">;

export const recipientLimitsWords: RuleWords<keyof typeof recipientLimitsService.checks> = {
  label: "By recipient",
  section: "further",
  brief: (policy) => policy.recipient_limits.map(recipientLimitInWords).join("; ") || "None",
  sentence: (policy) => policy.recipient_limits.map(recipientLimitInWords).join("; ") || null,
  reasons: {
    recipient_transaction_limit: "Over this recipient's limit per payment",
    recipient_monthly_limit: "Over this recipient's monthly limit",
  },
};

export const recipientLimitsReference: RuleReference<keyof typeof recipientLimitsService.checks> = {
  description:
    "Limits for single recipients, such as sellers over HTTP 402, in USDG. Each entry that matches a recipient applies.",
  option: {
    flags: "--recipient-limits <limits>",
    help: "for each recipient, a payment/a month: @shop=0.5/20,*=/100",
  },
  refusals: {
    recipient_transaction_limit: "This is more than the agent's policy allows for one payment to this recipient.",
    recipient_monthly_limit: "This is more than the agent's policy leaves for this recipient this month.",
  },
};
