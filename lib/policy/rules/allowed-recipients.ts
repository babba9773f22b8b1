import { recipientInWords } from "@/lib/policy/number-words";
import { readList, readRecipient } from "@/lib/policy/read-limit";
import { allowsRecipient } from "@/lib/policy/recipients";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

/** The most recipients in a list. */
export const MAX_RECIPIENTS = 1000;

/** Whom it may pay, normalized: `@bob`, `@alice/bot`, a lower-case 0x address, `*`, `*.example.com`. */
export const allowedRecipients: RuleDeclaration<"allowedRecipients", "allowed_recipients", "recipients"> = {
  name: "allowedRecipients",
  field: "allowed_recipients",
  unset: [],
  read: (value, refuse) => {
    const entries = readList(value, MAX_RECIPIENTS, "recipients", refuse, readRecipient);
    return entries && [...new Set(entries)];
  },
  encode: (policy, document) => {
    document.recipients = [...new Set(policy.allowedRecipients)].sort();
  },
  loosens: (before, after) =>
    !before.allowedRecipients.includes("*") &&
    !after.allowedRecipients.every((entry) => before.allowedRecipients.includes(entry)),
};

export const allowedRecipientsService = {
  kind: "recipients",
  write: (policy) => [...policy.allowedRecipients],
  decode: ({ recipients }) => recipients,
  commitment: "recipients",
  blind: "service",
  checks: {
    recipient_not_allowed: {
      stage: "recipient",
      passes: (policy, { recipient }) => allowsRecipient(policy.allowedRecipients, recipient),
    },
  },
} satisfies RuleService<"recipients">;

export const allowedRecipientsWords: RuleWords<keyof typeof allowedRecipientsService.checks> = {
  label: "Recipients",
  section: "recipients",
  brief: (policy) => policy.allowed_recipients.map(recipientInWords).join(", ") || "No one",
  reasons: { recipient_not_allowed: "Recipient not allowed" },
};

export const allowedRecipientsReference: RuleReference<keyof typeof allowedRecipientsService.checks> = {
  description: "Who the agent can pay: handles, addresses, `*.domain` for every handle of a domain, or `*` for anyone.",
  examples: [["@supplier", "*.example.com"]],
  option: { flags: "--recipients <names>", help: "@handles, addresses, *.domains or *, separated by commas" },
  refusals: { recipient_not_allowed: "The agent's policy does not allow this recipient." },
};
