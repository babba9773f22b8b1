import { Callout } from "@/components/ui/callout";
import type { TransferDetailsResource } from "./transfer-details";

const REASON = {
  expired: "The chain did not include it in a block before its deadline, and cannot any more.",
  superseded: "Before it was mined, the available balance it spends from changed.",
};

/** Says why a transfer failed and where the money is. */
export function Failure({ transfer }: { transfer: TransferDetailsResource }) {
  const { failure } = transfer.timeline;
  const where =
    transfer.direction === "sent"
      ? "The amount is still in the available balance. To pay anyway, send it again: the two can't both settle."
      : "You received nothing. The sender has to pay again.";
  return (
    <Callout tone="danger" title="This payment failed. No money moved.">
      {failure && `${REASON[failure]} `}
      {where}
    </Callout>
  );
}
