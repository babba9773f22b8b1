/** Note slots of one Balance proof. */
export const BALANCE_NOTES = 16;
/** Proofs of one document: 384 notes, and a text that fits a request body of 64 KiB. */
export const MAX_BALANCE_PROOFS = 24;
