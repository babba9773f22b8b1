import type { Tone } from "@/components/ui/badge";
import type { PaymentRequestResource } from "@/lib/payments/requests/payment-request-resource";

type Status = PaymentRequestResource["status"];
type State = PaymentRequestResource["payments"][number]["state"];

/** The names of a request's states. */
export const REQUEST_STATUS: Readonly<Record<Status, { name: string; tone: Tone; says: string }>> = {
  open: { name: "Open", tone: "accent", says: "It can be paid." },
  processing: { name: "Processing", tone: "warning", says: "A payment names it. Its amount is not checked yet." },
  paid: { name: "Paid", tone: "success", says: "Your client found a payment that covers it." },
  expired: { name: "Expired", tone: "neutral", says: "It can no longer be paid." },
  cancelled: { name: "Cancelled", tone: "neutral", says: "It can no longer be paid." },
};

/** The names of the states of a payment for a request. */
export const PAYMENT_STATE: Readonly<Record<State, { name: string; tone: Tone }>> = {
  unchecked: { name: "Not checked", tone: "warning" },
  exact: { name: "Exact", tone: "success" },
  overpaid: { name: "Overpaid", tone: "success" },
  underpaid: { name: "Underpaid", tone: "danger" },
  late: { name: "Late", tone: "warning" },
  second: { name: "Second payment", tone: "warning" },
  unrelated: { name: "Other purpose", tone: "danger" },
};
