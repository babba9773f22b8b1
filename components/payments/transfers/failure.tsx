import { Callout } from "@/components/ui/callout";
import type { TransferDetailsResource } from "./transfer-details";

const REASON = {
  expired: "The chain did not include it in a block before its deadline, and cannot any more.",
  superseded: "Before it was mined, the available balance it spends from changed.",
};

/**
 * Says why a transfer failed and where the money is, as the service has it. Only the chain can show that nothing moved,
 * and another client or an API key may have made the payment, of which this browser has no record to ask the chain with.
 */
export function TransferFailure({ transfer }: { transfer: TransferDetailsResource }) {
  const { failure } = transfer.timeline;
  const where =
    transfer.direction === "sent"
      ? "Its amount should still be in the available balance. Check that before you send it again: that is another payment."
      : "Check your balance before you ask the sender to pay again: that is another payment.";
  return (
    <Callout tone="danger" title="The service says that this payment failed and no money moved.">
      {failure && `${REASON[failure]} `}
      {where}
    </Callout>
  );
}
