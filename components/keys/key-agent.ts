/** An agent that a key may belong to, instead of the account itself. */
export interface KeyAgent {
  account_id: string;
  handle: string;
}
