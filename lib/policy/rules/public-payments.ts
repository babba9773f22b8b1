import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

/**
 * Whether it may pay sellers over HTTP 402 that take only public payments (scheme `exact`). Each such payment goes
 * through a one-time address, so the ledger then checks none of the policy's recipients.
 */
export const publicPayments: RuleDeclaration<"publicPayments", "public_payments", "switch"> = {
  name: "publicPayments",
  field: "public_payments",
  unset: false,
  read: (value, refuse) => (typeof value === "boolean" ? value : refuse("Send true or false.")),
  encode: (policy, document) => {
    document.publicPayments = policy.publicPayments;
  },
  loosens: (before, after) => after.publicPayments && !before.publicPayments,
};

export const publicPaymentsService = {
  kind: "switch",
  write: (policy) => policy.publicPayments,
  decode: (document) => document.publicPayments,
  commitment: "document",
  blind: "service",
  checks: {
    public_payments_not_allowed: {
      stage: "recipient",
      applies: (_, { isExact = false }) => isExact,
      passes: (policy) => policy.publicPayments,
    },
  },
} satisfies RuleService<"switch">;

export const publicPaymentsWords: RuleWords<keyof typeof publicPaymentsService.checks> = {
  label: "Public sellers",
  section: "public",
  brief: (policy) => (policy.public_payments ? "Allowed over HTTP 402" : "Not allowed"),
  sentence: (policy) => (policy.public_payments ? "Sellers that take public payments only are paid too" : null),
  reasons: { public_payments_not_allowed: "Takes public payments only" },
};

export const publicPaymentsReference: RuleReference<keyof typeof publicPaymentsService.checks> = {
  description:
    "Whether the agent can pay sellers over HTTP 402 that take public payments only (scheme `exact`). Anyone can see such a payment. While this is on, the service checks recipients and the chain enforces only the amounts.",
  option: {
    flags: "--public-payments <on|off>",
    help: "pay sellers over HTTP 402 that take public payments only (off by default; the chain then enforces only amounts)",
  },
  refusals: {
    public_payments_not_allowed:
      "This agent's policy allows no sellers that take public payments only. Its owner can allow them (`public_payments`).",
  },
};
