import { CircleCheck, CircleX, Clock } from "lucide-react";
import { useNetwork } from "@/components/api/network-context";
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
  rejected: "No money moved. It can be asked for again.",
  expired: "No money moved. It can be asked for again.",
};

/** Shown if this session's decision took effect although its response was lost. */
const LOST = {
  approved: { title: "Approved.", says: "The response was lost, but the payment was made." },
  rejected: { title: "Rejected.", says: "The response was lost, and no money moved." },
};

/** Says that this session's decision took effect although its response was lost. */
export function MadeCallout({ decided }: { decided: "approved" | "rejected" }) {
  return (
    <div role="status">
      <Callout tone="success" title={LOST[decided].title}>
        {LOST[decided].says}
      </Callout>
    </div>
  );
}

/** Says whose decision took effect after this page's own failed. */
function Failed({ held, sessionId, tried }: { held: Decided; sessionId: string; tried: "approved" | "rejected" }) {
  const own = held.decided_by?.type === "session" && held.decided_by.id === sessionId;
  if (own && held.status === tried) return <MadeCallout decided={tried} />;
  return (
    <Callout
      tone="warning"
      title={held.status === "expired" ? "It expired before your decision." : "This payment was already decided."}
    >
      Your decision changed nothing, and no money moved because of it.
    </Callout>
  );
}

type Decided = HeldDetails & { status: keyof typeof SHOWN };

/**
 * The outcome of a held payment, by whom and when.
 *
 * @param tried the decision that this page tried without receiving a response
 */
export function DecidedView({
  held,
  sessionId,
  tried,
}: {
  held: Decided;
  sessionId: string;
  tried?: "approved" | "rejected";
}) {
  const network = useNetwork();
  const { title, tone, Icon } = SHOWN[held.status];
  return (
    <div className="grid gap-3">
      {tried && <Failed held={held} sessionId={sessionId} tried={tried} />}
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
