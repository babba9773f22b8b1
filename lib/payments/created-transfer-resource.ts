import { z } from "zod";
import { toHeldResource } from "@/lib/payments/approvals/held-payment-resource";
import { DecisionResource, toDecisionResource } from "@/lib/policy/decision-resource";
import { toExactResource } from "./exact/exact-resource";
import type { CreatedTransfer } from "./paid-transfer";
import { toTransferResource } from "./transfer-resource";
import type { TriedTransfer } from "./try-transfer";

/** The result of a dry run. */
export const DryRunResource = DecisionResource.safeExtend({
  dry_run: z.literal(true).meta({ description: "Always `true`: nothing was paid." }),
  confidential: z.boolean().optional().meta({
    description: "Whether the amount would be encrypted on chain. `false`: anyone could see the payment.",
  }),
}).meta({
  id: "DryRun",
  description: "The policy's decision on a payment. Nothing is paid.",
});

/** Serializes the result of `POST /v1/transfers`: a transfer, a held payment, or the result of a dry run. */
export function toCreatedResource(created: CreatedTransfer | TriedTransfer) {
  switch (created.outcome) {
    case "paid":
      return {
        ...toTransferResource(created.transfer),
        ...(created.exact && { exact: toExactResource(created.transfer, created.exact) }),
      };
    case "held":
      return toHeldResource(created.held);
    case "tried":
      return { dry_run: true as const, confidential: created.confidential, ...toDecisionResource(created.decision) };
  }
}

/** Returns the header that marks a transfer made by an earlier request with the same `Idempotency-Key`. */
export function createdHeaders(created: CreatedTransfer | TriedTransfer): Record<string, string> {
  const isRepeated = created.outcome === "paid" && created.isRepeated === true;
  return isRepeated ? { "idempotent-replayed": "true" } : {};
}
