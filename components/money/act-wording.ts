import type { UnknownWords } from "@/components/api/unknown-outcome";
import { shortened } from "@/components/ui/address";
import type { KeptAct } from "./kept-payments";

/** The words for an act while it runs, and for its outcome. */
export interface ActWords extends UnknownWords {
  /** What is happening after the start. */
  running: string;
  /** What has not happened. Shown only if that is certain. */
  refused: string;
  /** The subject of a notice after the dialog is gone: "Your payment to @lin". */
  subject: (to: string) => string;
}

const PAYING = {
  running: "Proving on this machine, then sending. A few seconds.",
  whether: "whether this was paid",
  warning: "Do not pay again.",
};
const MOVING = {
  running: "Proving on this machine, then moving. A few seconds.",
  refused: "Nothing was moved.",
  whether: "whether this was moved",
  warning: "Do not move it again.",
};

/** The words for each kind of act. */
export const ACT_WORDS: Record<KeptAct, ActWords> = {
  send: { ...PAYING, refused: "Nothing was sent.", subject: (to) => `Your payment to ${to}` },
  refund: { ...PAYING, refused: "Nothing was refunded.", subject: (to) => `Your refund to ${to}` },
  withdraw: { ...PAYING, refused: "Nothing was withdrawn.", subject: (to) => `Your withdrawal to ${to}` },
  fund: { ...MOVING, subject: (to) => `Your transfer to ${to}` },
  "take back": { ...MOVING, subject: (to) => `Your transfer back from ${to}` },
  makeAvailable: {
    running: "Proving on this machine, then your wallet signs and the chain settles it.",
    refused: "Nothing was made available.",
    whether: "whether your available balance was changed",
    warning: "Do not set it again.",
    subject: (to) => (to ? `The change of the available balance of ${to}` : "The change of your available balance"),
  },
  deposit: {
    running: "Your wallet signs; then the chain settles the deposit.",
    refused: "Nothing was deposited.",
    whether: "whether this was deposited",
    warning: "Do not deposit it again.",
    until: "You can continue as soon as it is known. If your wallet did not send it, dismiss the notice on this page.",
    subject: () => "Your deposit",
  },
  approve: {
    ...PAYING,
    refused: "It was not approved.",
    warning: "Do not approve or pay it again.",
    subject: (to) => `The payment to ${to} that you approved`,
  },
  payout: {
    ...PAYING,
    refused: "The payout says which of its rows are still to be paid.",
    whether: "whether its newest payments were made",
    warning: "Do not pay it in another way; to continue the payout pays no row twice.",
    subject: () => "Part of your payout",
  },
  run: {
    ...PAYING,
    refused: "It was not paid.",
    warning: "Do not pay it in another way; to pay it here again never pays twice.",
    subject: () => "A payment of your schedule",
  },
};

/** Returns the recipient for use in a sentence; addresses are shortened. */
export function placeInWords(to: string | undefined): string {
  return to?.startsWith("0x") ? shortened(to) : (to ?? "");
}
