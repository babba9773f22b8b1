/** The balance of an account or agent in one asset. Amounts are decimal strings. */
export interface DecryptedBalance {
  asset: string;
  /** The total of everything below. */
  total: string;
  /** The available balance, from which payments are made. */
  available: string;
  /** Deposited money that is not made available yet. Anyone can see this amount. */
  deposited: string;
  /** Received payments that are not made available yet, largest first. */
  notes: string[];
  /**
   * True if there are more received payments than were read. Make these available first; if there are none, decrypt
   * again with the same client.
   */
  has_more: boolean;
  /** Number of received payments that can't be decrypted. They are not counted. */
  unreadable: number;
}
