/** Note slots in one Balance proof. */
export const BALANCE_NOTES = 16;
/** The most proofs in one document: 384 notes, in a text that fits a request body of 64 KiB. */
export const MAX_BALANCE_PROOFS = 24;
