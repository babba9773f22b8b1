/** Whom a key may belong to, beside the account itself. */
export interface KeyAgent {
  account_id: string;
  handle: string;
}
