import { CircleCheck, CircleX, Clock } from "lucide-react";
import { useNetwork } from "@/components/shell/network-context";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { deciderInWords, type HeldDetails } from "./held-payment";

const SHOWN = {
  approved: { title: "Approved", tone: "text-success", Icon: CircleCheck },
  rejected: { title: "Rejected", tone: "text-danger", Icon: CircleX },
  expired: { title: "Expired", tone: "text-muted", Icon: Clock },
};

const MEANS = {
  approved: "The payment was made.",
  rejected: "No money moved. The agent may ask again.",
  expired: "No money moved. The agent may ask again.",
};

/**
 * What became of a held payment, by whom and when.
 *
 * @param overtaken this page was about to decide otherwise, and came too late
 */
export function DecidedView({
  held,
  sessionId,
  overtaken,
}: {
  held: HeldDetails & { status: keyof typeof SHOWN };
  sessionId: string;
  overtaken: boolean;
}) {
  const network = useNetwork();
  const { title, tone, Icon } = SHOWN[held.status];
  return (
    <div className="grid gap-3">
      {overtaken && (
        <Callout tone="warning" title="Somebody was faster.">
          Your decision changed nothing, and nothing was paid by it.
        </Callout>
      )}
      <div role="status" className="flex items-start gap-3 rounded-lg bg-sunken px-3.5 py-3 text-sm">
        <Icon size={18} aria-hidden="true" className={`mt-px shrink-0 ${tone}`} />
        <div className="min-w-0 flex-1">
          <p>
            <span className="font-medium">{title}</span> {deciderInWords(held, sessionId)}
          </p>
          <p className="text-muted text-xs">
            <Time value={held.decided_at ?? held.expires_at} />. {MEANS[held.status]}
          </p>
        </div>
        {held.transfer_id && (
          <Link href={`/${network}/transfers/${held.transfer_id}`} className={buttonClass("secondary", "small")}>
            View transfer
          </Link>
        )}
      </div>
    </div>
  );
}
