import { Badge, type Tone } from "@/components/ui/badge";
import type { HeldDetails } from "./held-payment";

const SHOWN: Record<HeldDetails["status"], { name: string; tone: Tone }> = {
  pending_approval: { name: "Waiting", tone: "warning" },
  approved: { name: "Approved", tone: "success" },
  rejected: { name: "Rejected", tone: "danger" },
  expired: { name: "Expired", tone: "neutral" },
};

/** The outcome of a held payment as a badge. */
export function OutcomeBadge({ status }: { status: HeldDetails["status"] }) {
  const { name, tone } = SHOWN[status];
  return <Badge tone={tone}>{name}</Badge>;
}
