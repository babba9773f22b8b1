import { Badge, type Tone } from "@/components/ui/badge";
import type { TransferResource } from "@/lib/payments/transfer-resource";

const SHOWN: Record<TransferResource["status"], { name: string; tone: Tone }> = {
  pending: { name: "Pending", tone: "warning" },
  confirmed: { name: "Confirmed", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
};

/** A transfer's status. */
export function TransferStatusBadge({ status }: { status: TransferResource["status"] }) {
  const { name, tone } = SHOWN[status];
  return <Badge tone={tone}>{name}</Badge>;
}
