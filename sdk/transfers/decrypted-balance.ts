/** What an account or agent has of one asset. Amounts are decimal strings. */
export interface DecryptedBalance {
  asset: string;
  /** Everything together. */
  total: string;
  /** The available balance: what payments are made from. */
  budget: string;
  /** Deposited, and not made available yet. Anyone can see it. */
  credit: string;
  /** Received payments that are not made available yet, largest first. */
  notes: string[];
  /** There are more received payments than were read: make them available first. */
  has_more: boolean;
  /** Received payments that can't be decrypted: not counted. */
  unreadable: number;
}
