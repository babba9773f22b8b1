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

/** What is said when the response to this session's own decision was lost, and the decision counted. */
const LOST = {
  approved: { title: "Approved.", says: "The response was lost, but the payment was made." },
  rejected: { title: "Rejected.", says: "The response was lost, and no money moved." },
};

/** Says that this session's decision counted, after its response was lost. */
export function MadeCallout({ decided }: { decided: "approved" | "rejected" }) {
  return (
    <div role="status">
      <Callout tone="success" title={LOST[decided].title}>
        {LOST[decided].says}
      </Callout>
    </div>
  );
}

/** Whose decision it was that counted, after this page's own had failed. */
function Failed({ held, sessionId, tried }: { held: Decided; sessionId: string; tried: "approved" | "rejected" }) {
  const own = held.decided_by?.type === "session" && held.decided_by.id === sessionId;
  if (own && held.status === tried) return <MadeCallout decided={tried} />;
  return (
    <Callout
      tone="warning"
      title={held.status === "expired" ? "It ran out before." : "This payment was already decided."}
    >
      Your decision changed nothing, and nothing was paid by it.
    </Callout>
  );
}

type Decided = HeldDetails & { status: keyof typeof SHOWN };

/**
 * What became of a held payment, by whom and when.
 *
 * @param tried what this page tried to decide, without a response that it did
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
