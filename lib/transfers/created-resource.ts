import { toHeldResource } from "@/lib/held/held-resource";
import type { CreatedTransfer } from "./created-transfer";
import { toTransferResource } from "./transfer-resource";
import type { TriedTransfer } from "./try-transfer";

/** Serialises what `POST /v1/transfers` came to: a transfer, a held payment, or what a dry run says. */
export function toCreatedResource(created: CreatedTransfer | TriedTransfer) {
  switch (created.outcome) {
    case "paid":
      return toTransferResource(created.transfer);
    case "held":
      return toHeldResource(created.held);
    case "tried": {
      const { decision } = created;
      const reason = decision.outcome === "denied" ? { reason: decision.reason } : {};
      const rules = decision.rules.map(({ rule, outcome }) => ({ rule, outcome }));
      return { dry_run: true, outcome: decision.outcome, ...reason, rules };
    }
  }
}
