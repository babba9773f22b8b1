import { useNetwork } from "@/components/api/network-context";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { ApprovalAgent } from "./held-payment";
import type { ApprovalRefusal } from "./refusal-of";

/** What prevents an approval, and the remedy. */
export function RefusalCallout({ refusal, agent }: { refusal: ApprovalRefusal; agent: ApprovalAgent | undefined }) {
  const network = useNetwork();
  return (
    <Callout tone={refusal.agent ? "warning" : "danger"} title={refusal.title}>
      {refusal.remedy}
      {refusal.agent && agent && (
        <>
          {" "}
          <Link
            href={`/${network}/agents/${agent.account_id}`}
            className="font-medium text-ink underline underline-offset-2"
          >
            Open the agent
          </Link>
        </>
      )}
    </Callout>
  );
}
