/** What to say of something whose response was lost. */
export interface UnknownWords {
  /** What is unknown: "whether this was paid". */
  whether: string;
  /** What to do, or not to do, until it is known: "Do not pay again." */
  warning: string;
  /** When it will be known; default: within minutes. */
  until?: string;
}

/** Of what this browser does not look up again. The service may have responded that it failed inside. */
const UNWATCHED = "We don't know yet whether this was done: the response is not clear. Look before you do it again.";

/** Of money, of which this browser keeps what has left it (components/money/kept-payments.ts). */
const WATCHED: UnknownWords = { whether: "whether this was done", warning: "Do not do it again." };

/** What follows of money. */
export const KEEPS_CHECKING = "Halcyon keeps checking.";

/** Returns what to say of money whose response was lost, while this browser looks for the outcome. */
export function unknownInWords(words: UnknownWords): string {
  return `We don't know yet ${words.whether}: the response was lost. ${words.warning} ${KEEPS_CHECKING}`;
}

/** Returns what to say of money that the service calls failed, while this browser asks the chain. */
export function calledFailed({ warning }: Pick<UnknownWords, "warning">): string {
  return `The service says that it failed, and the chain does not show that. It may still settle. ${warning} ${KEEPS_CHECKING}`;
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);

/** Returns whether what failed may have been done nevertheless, so that nothing may say that it was not. */
export function isUnknown(error: unknown): boolean {
  if (codeOf(error) === "outcome_unknown") return true;
  return error instanceof Error && "mayHaveHappened" in error && error.mayHaveHappened === true;
}

/** Returns what to say of an error after which the outcome is unknown ({@link isUnknown}). */
export function unknownOf(error: unknown): string {
  return codeOf(error) === "outcome_unknown" ? unknownInWords(WATCHED) : UNWATCHED;
}
