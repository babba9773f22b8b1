import { shortened } from "@/components/ui/address";
import type { KeptAct } from "./kept-payments";

/** What an act is called while it continues, and when its outcome is known or is not. */
export interface ActWords {
  /** What is happening, once it was started. */
  running: string;
  /** What has not happened; shown only when that is known. */
  refused: string;
  /** What is not known, when its response was lost: "whether this was paid". */
  whether: string;
  /** What must not be done again until it is: "Do not pay again." */
  warning: string;
  /** Of a notice, where its dialog is gone: "Your payment to @lin". */
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

/** The words of each act. */
export const ACT_WORDS: Record<KeptAct, ActWords> = {
  send: { ...PAYING, refused: "Nothing was sent.", subject: (to) => `Your payment to ${to}` },
  refund: { ...PAYING, refused: "Nothing was refunded.", subject: (to) => `Your refund to ${to}` },
  withdraw: { ...PAYING, refused: "Nothing was withdrawn.", subject: (to) => `Your withdrawal to ${to}` },
  fund: { ...MOVING, subject: (to) => `Your transfer to ${to}` },
  "take back": { ...MOVING, subject: (to) => `Your transfer back from ${to}` },
  allocate: {
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
    subject: () => "Your deposit",
  },
  approve: {
    ...PAYING,
    refused: "It was not approved. The payment still awaits approval.",
    warning: "Do not approve or pay it again.",
    subject: (to) => `The payment to ${to} that you approved`,
  },
};

/** Whom an act pays, in a sentence. */
export function placeInWords(to: string | undefined): string {
  return to?.startsWith("0x") ? shortened(to) : (to ?? "");
}
