import { Badge, type Tone } from "@/components/ui/badge";
import type { KycStatus } from "@/lib/accounts/kyc/provider";

const SHOWN: Record<KycStatus, { name: string; tone: Tone }> = {
  unverified: { name: "Not verified", tone: "neutral" },
  pending: { name: "Being checked", tone: "warning" },
  verified: { name: "Verified", tone: "success" },
  enhanced: { name: "Verified, enhanced", tone: "success" },
};

/** The state of the owner's identity check. */
export function KycBadge({ status }: { status: KycStatus }) {
  const { name, tone } = SHOWN[status];
  return <Badge tone={tone}>{name}</Badge>;
}
